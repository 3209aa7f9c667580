"""From the table to pages and the report; knows nothing of runners."""
