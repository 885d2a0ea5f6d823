"""The local profile: PostgreSQL, Valkey and CIRBoard's own processes from one command, with no service installed.

Nothing in this package imports Django: it has to run before there is a database.
"""
