"""Each step of the archive's tables: `revision`, what it follows (`down_revision`), and how it is done."""
