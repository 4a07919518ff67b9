"""Files on disk: read foreign files safely, and write files completely or not at all."""
