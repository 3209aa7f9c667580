"""Training logs become submissions: lines, what is asked for beside them, the window; `importers/logs` knows the formats."""
