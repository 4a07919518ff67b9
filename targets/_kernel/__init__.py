"""The kernel's arguments as several targets have need of them: the words of a plan, and the files that can take them.

    Plan --lower--> KernelArguments

`spelling.toml` has the arguments of each setting, and the forms that each operating system can use. Target `kernel-args`
makes the files; a role or module that carries them knows them by the names of their forms.
"""
