"""MXNet's Module API: a symbol is bound to arrays and run."""
