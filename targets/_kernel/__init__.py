"""The kernel arguments of a plan, shared by several targets, and the files that can contain them.

    Plan --lower--> KernelArguments

`spelling.toml` has the arguments of each setting, and the forms that each operating system can use. Target
`kernel-args` makes the files; a role or module that includes them refers to them by the names of their forms.
"""
