"""Edge: where events go."""
