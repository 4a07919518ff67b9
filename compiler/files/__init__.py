"""Files on the disk: what others have written is read with care, and what is written is written whole or not at all."""
