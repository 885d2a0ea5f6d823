"""docker-compose.yml describes the processes of the server and keeps ground truth in one of them."""

import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from leaderboard.settings import DEVELOPMENT_SECRET

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


@pytest.mark.parametrize("key", ["", "short", DEVELOPMENT_SECRET])
def test_the_production_profile_refuses_a_weak_secret_key(key: str) -> None:
    done = django_check(**({"CIRBOARD_SECRET_KEY": key} if key else {}))
    assert done.returncode != 0
    assert "CIRBOARD_SECRET_KEY" in done.stderr
