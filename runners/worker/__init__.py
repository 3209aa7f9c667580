"""The island: what runs inside a framework's own Python. Standard library only, Python 3.6 syntax."""
