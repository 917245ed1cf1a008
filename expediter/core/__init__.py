"""The ideas, on numpy and the standard library alone: no model, no screen, no clock."""
