"""The board in software: hands, sensors, faults, and a firmware peer behind a pty."""
