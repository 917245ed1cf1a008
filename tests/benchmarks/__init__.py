"""Timings to run by hand on a quiet machine; no test asserts one."""
