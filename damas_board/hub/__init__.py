"""Edge: what readers of MQTT are offered."""
