"""The language server: what an editor asks about a policy or a knowledge file, answered by the compiler's own
stages."""
