"""The reference framework: least squares in pure Python, for the tests of the harness."""
