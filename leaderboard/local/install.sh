#!/bin/sh
# Make .venv and install CIRBoard into it: install.sh local|dev|bench
# Does nothing when pyproject.toml, constraints.txt and the wanted extra are what was installed last.
set -eu
cd "$(dirname "$0")/../.."
extra=$1
venv=.venv
stamp=$venv/.cirboard-installed

say() { printf '%s\n' "$@"; }

# What only the system's packages give, root installs and others are told.
from_apt() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        packages=$*
        say "Installing $packages with apt-get"
        export DEBIAN_FRONTEND=noninteractive
        apt-get -o DPkg::Lock::Timeout=300 update -qq
        apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@" >/dev/null
        return 0
    fi
    return 1
}

tell() {
    printf '%s To install it, run:\n\n    sudo apt-get install -y %s\n\n' "$1" "$2" >&2
}

is_recent() { "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; }

# Ubuntu 22.04 has 3.10 as python3, and 3.11 beside it.
python_packages() {
    case "$(apt-cache policy python3 2>/dev/null | sed -n 's/ *Candidate: 3\.\([0-9]*\).*/\1/p')" in
        10) echo python3.11 python3.11-venv ;;
        *) echo python3 python3-venv ;;
    esac
}

find_python() {
    for candidate in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do
        if command -v "$candidate" >/dev/null && is_recent "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

want() { sha256sum pyproject.toml constraints.txt | sha256sum | cut -d' ' -f1; }

is_installed() { # A dev installation holds the local one, a bench installation both.
    [ -f "$stamp" ] && "$venv/bin/python" -c '' 2>/dev/null || return 1
    read -r digest got <"$stamp" || return 1
    [ "$digest" = "$(want)" ] || return 1
    case "$got $extra" in
        bench\ * | "dev local" | "$extra $extra") return 0 ;;
        *) return 1 ;;
    esac
}

make_venv() {
    if ! python=$(find_python); then
        # shellcheck disable=SC2046  # Two package names.
        if ! from_apt $(python_packages) || ! python=$(find_python); then
            tell "CIRBoard needs Python 3.11 or later." "$(python_packages)"
            exit 1
        fi
    fi
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        if ! from_apt "$package"; then
            tell "$python cannot make virtual environments: its venv module is a package of its own." "$package"
            exit 1
        fi
    fi
    say "Making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
}

if ! is_installed; then
    if ! { [ -x "$venv/bin/pip" ] && is_recent "$venv/bin/python"; }; then
        make_venv
    fi
    say "Installing CIRBoard and what it needs into $venv (about a minute the first time)"
    rm -f "$stamp"
    if ! "$venv/bin/python" -m pip install --no-input --disable-pip-version-check \
        --constraint constraints.txt --editable ".[$extra]" >"$venv/install.log" 2>&1; then
        tail -n 25 "$venv/install.log" >&2
        say "" "pip could not install CIRBoard: the lines above (all of them: $venv/install.log) say why." >&2
        exit 1
    fi
    printf '%s %s\n' "$(want)" "$extra" >"$stamp"
fi

if [ "$extra" = dev ] && ! command -v chromium >/dev/null; then
    from_apt chromium fonts-dejavu-core || tell "The browser tests need Chromium." chromium
fi
