"""The report: its chapters as values, and their setting by Typst."""
