"""Real models on torch and transformers: they draft, verify, accept and keep time. Knows no screen."""
