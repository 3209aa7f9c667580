"""Read, check, normalise, derive and tabulate submissions; knows nothing of runners or the website."""
