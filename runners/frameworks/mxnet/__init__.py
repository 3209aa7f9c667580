"""MXNet's Gluon API, hybridised."""
