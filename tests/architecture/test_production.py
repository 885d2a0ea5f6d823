"""docker-compose.yml describes the processes of the server and keeps ground truth in one of them."""

import json
import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from leaderboard.settings import DEVELOPMENT_SECRET, UPLOAD_LIMIT_BYTES
from leaderboard.web import gunicorn_conf
from leaderboard.web.uploads import ENVELOPE_BYTES

CHECKOUT = Path(__file__).parents[2]
OWN_PROCESSES = {"migrate", "web", "control", "score", "beat"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((CHECKOUT / "docker-compose.yml").read_text())
    return content


def mounts(service: dict[str, Any]) -> dict[str, str]:
    """Volume name -> the rest of its mount."""
    return dict(mount.split(":", 1) for mount in service.get("volumes", []))


def test_the_sealed_volume_is_mounted_in_the_score_worker_alone(compose: dict[str, Any]) -> None:
    holders = {name for name, service in compose["services"].items() if "sealed" in mounts(service)}
    assert holders == {"score"}


def test_the_signing_key_is_mounted_in_and_named_to_the_score_worker_alone(compose: dict[str, Any]) -> None:
    services = compose["services"].items()
    assert {name for name, service in services if "signing" in mounts(service)} == {"score"}
    assert {name for name, s in services if "CIRBOARD_SIGNING_KEY" in s.get("environment", {})} == {"score"}


def test_no_other_volume_covers_the_sealed_one(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        for volume, place in mounts(service).items():
            assert volume in compose["volumes"], f"{name} mounts {volume}, which is a folder of the host"
            assert place.split(":")[0] not in {"/", "/volumes"}


def test_the_sealed_root_is_named_to_the_score_worker_alone(compose: dict[str, Any]) -> None:
    told = {name for name, s in compose["services"].items() if "CIRBOARD_SEALED_ROOT" in s.get("environment", {})}
    assert told == {"score"}


def test_every_process_of_the_local_profile_is_there(compose: dict[str, Any]) -> None:
    assert OWN_PROCESSES | {"postgres", "valkey", "proxy"} == set(compose["services"])


@pytest.mark.parametrize("name", sorted(OWN_PROCESSES))
def test_our_processes_hold_no_privilege_and_no_way_out(compose: dict[str, Any], name: str) -> None:
    service = compose["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["networks"] == ["inside"]
    assert compose["networks"]["inside"]["internal"] is True


def test_the_image_does_not_run_as_root() -> None:
    lines = (CHECKOUT / "Dockerfile").read_text().splitlines()
    assert "USER cirboard" in lines
    assert lines.index("USER cirboard") < max(number for number, line in enumerate(lines) if line.startswith("CMD"))


def django_check(**environment: str) -> subprocess.CompletedProcess[str]:
    production = {"PATH": os.environ["PATH"], "CIRBOARD_PROFILE": "production", **environment}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    return subprocess.run(command, cwd=CHECKOUT, env=production, capture_output=True, text=True, check=False)


def test_the_production_profile_passes_djangos_deployment_check() -> None:
    done = django_check(CIRBOARD_SECRET_KEY=secrets.token_urlsafe(50))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("key", ["", "short", "a" * 60, "ab" * 30, DEVELOPMENT_SECRET])
def test_the_production_profile_refuses_a_weak_secret_key(key: str) -> None:
    done = django_check(**({"CIRBOARD_SECRET_KEY": key} if key else {}))
    assert done.returncode != 0
    assert "CIRBOARD_SECRET_KEY" in done.stderr


@pytest.mark.parametrize("profile", ["Production", "prod", "production ", ""])
def test_an_unknown_profile_is_refused(profile: str) -> None:
    done = django_check(CIRBOARD_SECRET_KEY=secrets.token_urlsafe(50), CIRBOARD_PROFILE=profile)
    assert done.returncode != 0
    assert "CIRBOARD_PROFILE" in done.stderr


def in_production(expression: str, **environment: str) -> str:
    """An expression over the production profile's settings, as printed."""
    program = f"from leaderboard import settings; print({expression})"
    production = {"CIRBOARD_PROFILE": "production", "CIRBOARD_SECRET_KEY": secrets.token_urlsafe(50), **environment}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=CHECKOUT, env=production, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_in_production_attempts_are_counted_for_the_address_behind_the_proxy() -> None:
    assert in_production("settings.ALLAUTH_TRUSTED_PROXY_COUNT") == "1"


def test_with_a_mail_server_e_mails_are_sent() -> None:
    mail = {"HOST": "relay", "PORT": "465", "USER": "u", "PASSWORD": "p", "TLS": "tls", "FROM": "a@example.org"}
    names = ["BACKEND", "HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL"]
    asked = ", ".join([*(f"settings.EMAIL_{name}" for name in names), "settings.DEFAULT_FROM_EMAIL"])
    found = in_production(asked, **{f"CIRBOARD_EMAIL_{name}": value for name, value in mail.items()})
    assert found == "django.core.mail.backends.smtp.EmailBackend relay 465 u p False True a@example.org"


def test_the_image_answers_with_threads() -> None:
    command = next(line for line in (CHECKOUT / "Dockerfile").read_text().splitlines() if line.startswith("CMD"))
    arguments = json.loads(command.removeprefix("CMD"))
    assert "--config=python:leaderboard.web.gunicorn_conf" in arguments
    checked = subprocess.run(
        [sys.executable, "-m", *arguments, "--check-config"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    assert gunicorn_conf.worker_class == "gthread"


def test_the_database_has_a_connection_for_every_thread() -> None:
    assert gunicorn_conf.workers * gunicorn_conf.threads <= 80


def test_the_proxy_takes_the_largest_upload_and_not_more(compose: dict[str, Any]) -> None:
    (mounted,) = compose["services"]["proxy"]["configs"]
    caddyfile = compose["configs"][mounted["source"]]["content"]
    megabytes = int(re.search(r"max_size \S*?:-(\d+)MB", caddyfile)[1])  # type: ignore[index]
    assert UPLOAD_LIMIT_BYTES + ENVELOPE_BYTES <= megabytes * 10**6 < UPLOAD_LIMIT_BYTES + 3 * ENVELOPE_BYTES
