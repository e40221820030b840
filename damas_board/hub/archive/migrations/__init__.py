"""The steps from one shape of the archive to the next, one module each in `versions`; never changed once released."""
