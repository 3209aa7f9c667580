"""The reference: each workload's network in NumPy and double precision, against which every framework proves its own."""
