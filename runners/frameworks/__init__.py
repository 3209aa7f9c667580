"""One folder a framework; the folder's name is its id, and the listing is the registry."""
