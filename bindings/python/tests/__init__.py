"""Tests of the Python binding, against the native library of the checkout."""
