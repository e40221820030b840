"""Brokers: the embedded one, and the files from which Mosquitto does the same; both from the one access table."""
