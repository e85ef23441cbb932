"""Files: which ones are meant, what they hold, and the project around them."""
