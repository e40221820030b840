"""A draughts board of another maker in software: its serial protocol, its clock, and the orders in which it tells."""
