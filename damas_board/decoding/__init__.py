"""Raw bytes and keys to observations, pure: wire frames, square maps."""
