"""The language: from text to tree (`parse`, `syntax`), and the formatter (`formatting`)."""
