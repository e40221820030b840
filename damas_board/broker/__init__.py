"""Edge: the embedded broker, and Mosquitto's files from the same access table."""
