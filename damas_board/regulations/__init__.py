"""Regulations: a variant, its draw laws and the arbiter's policy, read from TOML."""
