"""Operations on many policies: find the files that a command line names, check them, and fix them."""
