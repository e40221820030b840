"""From pictures of a board to what stands on it: pure, numpy and OpenCV, no device and no file."""
