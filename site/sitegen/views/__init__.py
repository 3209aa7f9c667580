"""What each kind of page shows: frozen values with every word and number ready to print."""
