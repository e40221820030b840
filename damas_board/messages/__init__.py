"""What travels: topics, envelopes, the access table, the recording format; pure."""
