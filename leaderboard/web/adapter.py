"""What the site asks of accounts beyond what allauth asks."""

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError

from leaderboard.models import User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Refuses addresses that the database would cut, and so give to somebody else."""

    def clean_email(self, email: str) -> str:
        longest = User._meta.get_field("email").max_length  # noqa: SLF001 - Django documents _meta as public
        assert longest is not None
        if len(email) > longest:
            raise ValidationError(f"An address has at most {longest} characters.")
        return email
