"""A receipt that anybody changed, in any place, is found out; one that nobody changed stands."""

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from evaluator.public.manifest import Display
from evaluator.receipt import (
    KeyTextError,
    ReceiptError,
    SigningKeyError,
    canonical,
    draw_signing_key,
    key_id,
    load_signing_key,
    parse_receipt,
    public_keys_in,
    rounded_for,
    sign,
    statement_of,
    to_base64,
    verify,
)
from evaluator.receipt.canonical import DEEPEST, LARGEST_BYTES
from tests.evaluator.receipts import SERVERS_KEY, STRANGERS_KEY, document, receipt, report

Path = tuple[str | int, ...]
EXAMPLE = {"b": [1.0, 0.1, 1e-7, 1e21, -0.0, None, True], "a": 'é"\n', "c": {}}
ENCODED = '{"a":"é\\"\\n","b":[1,0.1,1e-7,1e+21,0,null,true],"c":{}}'
SIGNATURE = "vm+FPlxgY81InWfjLdcjv+niB0ET7pQSFxe3UqnD6H1IWgAlKTX0m/nW7+z6n8W4Zjz5HIc9Qubulx4n61B4Dg=="
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e15, 1e15) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value that is no list or object, and every empty one, with its place."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    entries = list(inner)
    if not entries:
        yield path, value
    for key, entry in entries:
        yield from leaves(entry, (*path, key))


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The place of everything within."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inner:
        yield (*path, key)
        yield from places(entry, (*path, key))


def parent_of(value: Any, path: Path) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value


def slightly_changed(value: Any) -> list[Any]:
    """Every smallest change of a leaf."""
    if isinstance(value, bool):
        return [not value, None, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1, str(value), None]
    if isinstance(value, float):
        return [math.nextafter(value, math.inf), math.nextafter(value, -math.inf), -value, str(value), None]
    if isinstance(value, str):
        swapped = [value[:at] + chr(ord(letter) ^ 1) + value[at + 1 :] for at, letter in enumerate(value)]
        return [*swapped, value + " ", value[:-1], value.swapcase() + "_", None]
    return [0, False, "", "null"]


def is_found_out(changed: dict[str, Any]) -> bool:
    """Whether a reader of the file learns that something is wrong."""
    try:
        return not verify(parse_receipt(json.dumps(changed).encode())).intact
    except ReceiptError:
        return True


RECEIPT = receipt(Display(percent=False, decimals=4), metrics=report()["metrics"])
EXACT = receipt()


def test_a_receipt_that_nobody_changed_stands() -> None:
    for pretty in (None, 2):
        found = verify(parse_receipt(json.dumps(EXACT, indent=pretty).encode()), [SERVERS_KEY.public_key()])
        assert found.intact
        assert found.trusted
        assert found.stands
        assert found.key_id == key_id(SERVERS_KEY.public_key())


@pytest.mark.parametrize(
    ("path", "value"), list(leaves(EXACT)), ids=lambda part: "." if isinstance(part, tuple) else ""
)
def test_every_leaf_that_is_changed_is_found_out(path: Path, value: Any) -> None:
    for other in slightly_changed(value):
        changed = copy.deepcopy(EXACT)
        parent_of(changed, path)[path[-1]] = other
        assert is_found_out(changed), other


@pytest.mark.parametrize("path", list(places(EXACT)), ids=lambda path: ".".join(map(str, path)))
def test_every_part_that_is_removed_is_found_out(path: Path) -> None:
    changed = copy.deepcopy(EXACT)
    del parent_of(changed, path)[path[-1]]
    assert is_found_out(changed)


@pytest.mark.parametrize("path", [(), *places(EXACT)], ids=lambda path: ".".join(map(str, path)))
def test_everything_that_is_added_is_found_out(path: Path) -> None:
    changed = copy.deepcopy(EXACT)
    place = parent_of(changed, (*path, ""))
    if isinstance(place, dict):
        place["more"] = 0
    elif isinstance(place, list):
        place.append(0)
    else:
        return
    assert is_found_out(changed)


@given(JSON, JSON)
def test_two_values_have_one_encoding_only_if_they_are_equal(one: Any, other: Any) -> None:
    same = canonical({"": one}) == canonical({"": other})
    assert same == (json.loads(canonical({"": one})) == json.loads(canonical({"": other})))


@given(JSON)
def test_what_is_signed_reads_back_as_what_was_meant(value: Any) -> None:
    assert json.loads(canonical({"": value}))[""] == value


def test_the_encoding_and_the_signature_of_an_example_never_change() -> None:
    assert canonical(EXAMPLE).decode() == ENCODED
    assert sign(EXAMPLE, SERVERS_KEY)["signature"]["signature"] == SIGNATURE


def test_a_receipt_signed_anew_by_somebody_else_is_not_the_servers() -> None:
    forged = sign(document(protocol="clean"), STRANGERS_KEY)
    assert verify(forged).stands
    found = verify(forged, [SERVERS_KEY.public_key()])
    assert (found.intact, found.trusted, found.stands) == (True, False, False)


def test_the_servers_key_put_into_somebody_elses_receipt_is_found_out() -> None:
    forged = sign(document(), STRANGERS_KEY)
    forged["signature"] |= {name: EXACT["signature"][name] for name in ("public_key", "key_id")}
    assert not verify(forged, [SERVERS_KEY.public_key()]).intact


def test_any_of_several_trusted_keys_is_enough() -> None:
    keys = [STRANGERS_KEY.public_key(), SERVERS_KEY.public_key()]
    assert verify(EXACT, keys).trusted
    assert not verify(EXACT, []).trusted


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[]", "one object"),
        (b"3", "one object"),
        (b'{"a": 1, "a": 1}', '"a" occurs twice'),
        (b'{"b": {"a": 1, "\\u0061": 2}}', '"a" occurs twice'),
        (b'{"a": NaN}', "NaN is no number"),
        (b'{"a": -Infinity}', "-Infinity is no number"),
        (b'{"a": 1e999}', "larger than a double"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"a": ' + b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1) + b"}", "nested deeper"),
        (b'{"a": ' + b"[" * 200_000, "nested deeper"),
        (b" " * (LARGEST_BYTES + 1), "larger than"),
    ],
)
def test_bytes_that_are_no_receipt_are_refused_in_words(content: bytes, words: str) -> None:
    with pytest.raises(ReceiptError, match=words):
        parse_receipt(content)


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (None, "signature is missing"),
        ({}, "must hold exactly"),
        ({**EXACT["signature"], "algorithm": "none"}, "algorithm must be Ed25519"),
        ({**EXACT["signature"], "algorithm": "HS256"}, "algorithm must be Ed25519"),
        ({**EXACT["signature"], "algorithm": 1}, "algorithm must be text"),
        ({**EXACT["signature"], "key_id": "0" * 64}, "not the fingerprint"),
        ({**EXACT["signature"], "public_key": "AA=="}, "base64 of 32 bytes"),
        ({**EXACT["signature"], "signature": "é"}, "is not base64"),
        ({**EXACT["signature"], "more": ""}, "must hold exactly"),
    ],
)
def test_a_signature_block_of_another_kind_is_refused_in_words(block: Any, words: str) -> None:
    with pytest.raises(ReceiptError, match=words):
        verify({**EXACT, "signature": block})


@pytest.mark.parametrize("value", [2**53, {"\ud800": 1}, "\ud800", {1: 2}])
def test_what_has_no_encoding_is_not_signed(value: Any) -> None:
    with pytest.raises(ReceiptError, match="cannot be signed"):
        sign({"a": value}, SERVERS_KEY)


@pytest.mark.parametrize(
    "change", [{"metrics": {}}, {"protocol": 3}, {"rankable": 1}, {"digests": []}, {"primary": []}]
)
def test_a_well_signed_file_of_another_shape_is_refused_in_words(change: dict[str, Any]) -> None:
    signed = sign({**document(), "report": {**report(), **change}}, STRANGERS_KEY)
    with pytest.raises(ReceiptError, match="must be"):
        statement_of(signed)


def test_nothing_is_signed_twice() -> None:
    with pytest.raises(ReceiptError, match="signed already"):
        sign(EXACT, SERVERS_KEY)


def test_a_receipt_holds_the_report_and_no_timings() -> None:
    assert document()["report"] == {key: value for key, value in report().items() if key != "timings"}


@pytest.mark.parametrize(
    ("display", "value", "low"),
    [
        (Display(percent=True, decimals=2), 0.1235, 0.041),
        (Display(percent=True, decimals=1), 0.123, 0.041),
        (Display(percent=False, decimals=4), 0.1235, 0.0412),
    ],
)
def test_on_held_out_ground_truth_values_are_those_of_the_page(display: Display, value: float, low: float) -> None:
    found = document(display)["report"]["metrics"]["mAP@2"]
    assert (found["value"], found["low"], found["n"]) == (value, low, 12)


@given(st.floats(-2, 2), st.integers(0, 6), st.booleans())
def test_no_fraction_keeps_more_digits_than_the_page(value: float, decimals: int, percent: bool) -> None:
    display = Display(percent=percent, decimals=decimals)
    shown = rounded_for(display, {"a": [{"value": value}], "b": {"c": value}})
    digits = decimals + 2 * percent
    for number in (shown["a"][0]["value"], shown["b"]["c"]):
        assert number == float(f"{number:.{digits}f}")
        assert number == pytest.approx(value, abs=0.51 * 10.0**-digits)
        assert math.copysign(1, number) == 1 or number < 0


def test_rounding_leaves_no_exact_number_anywhere() -> None:
    exact = {value for _, value in leaves(document()) if isinstance(value, float)}
    rounded = {value for _, value in leaves(RECEIPT) if isinstance(value, float)}
    assert exact & rounded == {0.5}


@pytest.mark.parametrize("form", ["hex", "base64", "pem", "list"])
def test_a_key_is_read_in_every_form_that_people_hand_it_on(form: str) -> None:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = SERVERS_KEY.public_key()
    raw = key.public_bytes_raw()
    text = {
        "hex": raw.hex(),
        "base64": to_base64(raw) + "\n",
        "pem": key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode(),
        "list": json.dumps({"keys": [{"public_key": to_base64(raw)}]}),
    }[form]
    assert [found.public_bytes_raw() for found in public_keys_in(text)] == [raw]


@pytest.mark.parametrize(
    "text", ["", "x", "0" * 63, "-----BEGIN PUBLIC KEY-----", "{}", "[]", "[1]", '{"keys": 3}', "["]
)
def test_what_is_no_key_is_refused_in_words(text: str) -> None:
    with pytest.raises(KeyTextError, match="expected: 64 hexadecimal digits"):
        public_keys_in(text)


def test_a_key_is_drawn_once_and_is_its_owners_alone(tmp_path) -> None:
    path = tmp_path / "key.pem"
    drawn = draw_signing_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_signing_key(path).private_bytes_raw() == drawn.private_bytes_raw()
    with pytest.raises(FileExistsError):
        draw_signing_key(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["key.pem"]
    path.chmod(0o640)
    with pytest.raises(SigningKeyError, match="open to others"):
        load_signing_key(path)


@pytest.mark.parametrize(
    "content", [b"", b"nothing", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_a_file_that_is_no_private_key_says_what_to_do(tmp_path, content: bytes) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(SigningKeyError, match="create_signing_key"):
        load_signing_key(path)
    with pytest.raises(SigningKeyError, match="create_signing_key"):
        load_signing_key(tmp_path / "absent")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_is_written_as_the_standard_says(value: float) -> None:
    written = rfc8785.dumps(value).decode()
    assert float(written) == value
    assert ("e" in written) == (value != 0 and not 1e-6 <= abs(value) < 1e21)
