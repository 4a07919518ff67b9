"""The language: text to tree (`parse`), tree to meaning's doorstep (`syntax`), and back to text (`format`)."""
