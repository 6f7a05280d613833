"""The suites of tests/run: each module has tests(context), which yields its Tests."""
