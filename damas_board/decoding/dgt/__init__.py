"""What DGT boards and the clocks on them say, from bytes to what a Talk tells; made without a board at hand."""
