"""Everything that `rosetta check` can find, by subject: title, explanation and remedy of each code."""
