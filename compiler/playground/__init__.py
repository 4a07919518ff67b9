"""The playground: what a page in a browser asks about the policies that are typed there, answered by the compiler's own
stages."""
