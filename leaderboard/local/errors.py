"""What can go wrong on the way to a running server, each with its remedy in the message."""


class LocalProfileError(Exception):
    """The local server cannot start or go on. The message says why and what to do."""


class BinaryMissingError(LocalProfileError):
    """No usable PostgreSQL or Valkey was found."""


class DataDirectoryError(LocalProfileError):
    """The data directory cannot hold the server: wrong owner, closed to the service user, or made by another version."""


class AlreadyRunningError(LocalProfileError):
    """Another supervisor holds the data directory."""


class NotRunningError(LocalProfileError):
    """A server is needed on the data directory, and there is none."""


class ProcessError(LocalProfileError):
    """A process ended, or did not answer, while it was being started."""


class StepError(LocalProfileError):
    """A one-time step (migrating, generating the benchmark, submitting a run) did not succeed."""
