"""Chainer, define-by-run."""
