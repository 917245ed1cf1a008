"""The command line, one subcommand a file: each has `register(subparsers)`, which sets `run` as its default."""
