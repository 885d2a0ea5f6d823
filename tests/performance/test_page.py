"""Every session of measurements rewrites the page about them."""

from pathlib import Path

from tests.performance.performance_page import Results, contest_table, page

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


def test_the_page_of_measurements_is_written(results: Results, pytestconfig):
    PAGE.write_text(page(results), encoding="utf-8")
    terminal = pytestconfig.pluginmanager.get_plugin("terminalreporter")
    for name, contest in results.contests.items():
        terminal.write_line(f"\n\n{name}\n{contest_table(contest)}")
    assert PAGE.read_text(encoding="utf-8").startswith("# Speed and memory")
