"""`cirboard validate` as a researcher meets it."""

import csv
import json

import pytest
from click.testing import CliRunner

from evaluator.cli import main
from tests.evaluator.small_sources import cirr_run


@pytest.fixture
def validate(tmp_path):
    """Run the command on a value; gives exit status and output."""

    def validate(content, benchmark, *options):
        path = tmp_path / "run.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        result = CliRunner().invoke(main, ["validate", str(benchmark.public_root.parent), str(path), *options])
        return result.exit_code, result.output

    return validate


def test_a_faultless_file_is_accepted_in_the_first_line(validate, circo, circo_lists):
    status, output = validate(circo_lists, circo)
    assert status == 0
    assert output.splitlines() == [
        "run.json can be scored: no errors.",
        "Read as a run for Small CIRCO val, 60 bytes, 3 of 3 queries, 12 entries.",
    ]


def test_warnings_do_not_refuse(validate, circo, circo_lists):
    status, output = validate({**circo_lists, "0": [100, 2, 3, 4]}, circo)
    assert status == 0
    assert output.startswith("run.json can be scored: no errors, one kind of warning.")
    assert "Warning: The reference image itself is in 1 list  [reference-in-list]" in output


def test_a_refusal_groups_its_problems_errors_first(validate, circo):
    status, output = validate({"0": [100, 1, 1, 3], "1": [5, 6, 7, 8]}, circo)
    assert status == 1
    assert output.startswith("run.json cannot be scored yet: two kinds of error.")
    places = [output.index(code) for code in ("query-missing", "image-repeated", "reference-in-list")]
    assert places == sorted(places)
    assert "Query 0, rank 3: 1 already stands at rank 2." in output


def test_twenty_of_a_kind_are_shown_and_all_are_counted(validate, pinpoint, pinpoint_lists):
    pinpoint_lists["00001"]["retrieved_items"] = ["x"] * 500
    _, output = validate(pinpoint_lists, pinpoint)
    assert output.count(": x is not in the gallery.") == 20
    assert "20 of 500 shown." in output
    assert "Error: 500 images are not in the gallery  [image-unknown]" in output


def test_all_problems_go_into_the_table(validate, tmp_path, pinpoint, pinpoint_lists):
    pinpoint_lists["00001"]["retrieved_items"] = ["=1+1"] * 100
    validate(pinpoint_lists, pinpoint, "--problems-csv", str(tmp_path / "p.csv"))
    rows = list(csv.DictReader((tmp_path / "p.csv").read_text(encoding="utf-8").splitlines()))
    unknown = [row for row in rows if row["code"] == "image-unknown"]
    assert len(unknown) == 100
    assert (unknown[41]["query"], unknown[41]["rank"], unknown[41]["value"]) == ("00001", "42", "'=1+1")
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]


def test_json_says_the_same(validate, circo, circo_lists):
    del circo_lists["2"]
    status, output = validate(circo_lists, circo, "--json")
    report = json.loads(output)
    assert status == 1
    assert (report["accepted"], report["n_errors"], report["n_warnings"]) == (False, 1, 0)
    assert (report["n_queries"], report["n_entries"], report["run_digest"]) == (2, 8, None)
    group = report["groups"][0]
    assert (group["code"], group["count"], group["title"]) == ("query-missing", 1, "1 query has no list")
    assert group["shown"][0]["query"] == "2"


def test_json_of_an_accepted_file_has_the_digest_of_the_run(validate, circo, circo_lists, check):
    _, output = validate(circo_lists, circo, "--json")
    assert json.loads(output)["run_digest"] == check(circo_lists, circo).run.digest


def test_lenient_accepts_what_official_code_accepts(validate, circo, circo_lists):
    content = {**circo_lists, "0": [1, 1, 1, 1]}
    assert validate(content, circo)[0] == 1
    assert validate(content, circo, "--lenient")[0] == 0


def test_another_protocol_has_other_rules(validate, pinpoint, pinpoint_lists):
    assert validate(pinpoint_lists, pinpoint)[0] == 0
    assert validate(pinpoint_lists, pinpoint, "--protocol", "pairs")[0] == 1


@pytest.mark.parametrize("hostile", ["\x1b[31mred", "\u202etxt.exe", "a\nb", "\x9b2J", "\u2066x", "\r\b\x07"])
def test_nothing_in_a_file_can_command_the_terminal(validate, pinpoint, pinpoint_lists, hostile):
    pinpoint_lists["00001"]["retrieved_items"] = [hostile]
    pinpoint_lists[hostile] = {hostile: 1}
    _, output = validate(pinpoint_lists, pinpoint)
    assert hostile not in output
    assert all(letter.isprintable() or letter == "\n" for letter in output)


def test_what_cannot_be_checked_is_a_usage_error(tmp_path, circo):
    bundle = str(circo.public_root)
    run = tmp_path / "run.json"
    run.write_text("{}")
    for arguments in (
        [str(tmp_path / "nowhere"), str(run)],
        [bundle, str(tmp_path / "nowhere")],
        [bundle, str(tmp_path)],
        [bundle, str(run), "--protocol", "other"],
        [bundle],
    ):
        result = CliRunner().invoke(main, ["validate", *arguments])
        assert result.exit_code == 2, arguments
        assert "Traceback" not in result.output


def test_the_files_of_a_run_are_checked_together(tmp_path, cirr):
    paths = []
    for metric, content in cirr_run().items():
        paths.append(tmp_path / f"{metric}.json")
        paths[-1].write_text(json.dumps(content))
    result = CliRunner().invoke(main, ["validate", str(cirr.public_root), *map(str, paths)])
    assert result.exit_code == 0
    assert result.output.startswith("recall.json and recall_subset.json can be scored: no errors.")
    assert "6 of 6 queries, 159 entries" in result.output
