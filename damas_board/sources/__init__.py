"""Edge: where inputs come from."""
