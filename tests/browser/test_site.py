"""The site in a real browser: a whole server, a small benchmark, and Debian's Chromium."""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from leaderboard.local.stack import EVERYTHING, Stack, temporary_data_directory
from tests.board import ranked_at_random, run_file, write_board

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
WIDE, PHONE = 1280, 360
# Scoring a small run takes well under a second; a busy machine may take longer to begin.
PATIENCE_MS = 60_000
OPEN_PAGES = (
    "/",
    "/b/board/",
    "/b/board/protocol/",
    "/b/board/how-to-submit/",
    "/api/docs/",
    "/keys/",
    "/accounts/login/",
)
MEMBERS_PAGES = (
    "/b/board/submit/",
    "/my/submissions/",
    "/my/tokens/",
    "/accounts/password/change/",
    "/accounts/email/",
)


@dataclass(frozen=True)
class Site:
    """A running server with two public rows."""

    address: str
    email: str
    password: str
    submission: str


@dataclass
class Watched:
    """A page, and everything it did that a page of ours must not do."""

    page: Page
    faults: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with temporary_data_directory() as folder, Stack(folder, EVERYTHING, durable=False) as stack:
        write_board(folder / "bundle")
        stack.manage("install_benchmark", str(folder / "bundle"), sealed=True)
        account = json.loads(stack.manage("create_demo_accounts"))["researcher"]
        with httpx.Client(base_url=stack.base_url, headers={"Authorization": f"Token {account['token']}"}) as client:
            ids = [_published(client, seed) for seed in (1, 2)]
        yield Site(stack.base_url, account["email"], account["password"], ids[0])


def _published(client: httpx.Client, seed: int) -> str:
    form = {"benchmark": "board", "method": f"Random {seed}"}
    files = {"run": ("run.json", run_file(rank=ranked_at_random(seed)))}
    submission: str = client.post("/api/v1/submissions/", data=form, files=files).raise_for_status().json()["id"]
    address = f"/api/v1/submissions/{submission}/"
    while client.get(address).json()["in_work"]:
        pass
    client.post(f"{address}publish/").raise_for_status()
    return submission


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    binary = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if binary is None:
        message = "no Chromium on this machine; on Debian or Ubuntu: apt-get install chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        running = playwright.chromium.launch(executable_path=binary, args=options)
        yield running
        running.close()


def opened(context: BrowserContext, site: Site) -> Watched:
    """A new page whose errors, warnings and outside requests are noted."""
    context.set_default_timeout(PATIENCE_MS)
    watched = Watched(context.new_page())
    watched.page.on("console", lambda said: _note(watched, said.type, said.text))
    watched.page.on("pageerror", lambda error: watched.faults.append(str(error)))
    watched.page.on("request", lambda request: _note_outside(watched, request.url, site))
    return watched


def _note(watched: Watched, kind: str, text: str) -> None:
    if kind in {"error", "warning"}:
        watched.faults.append(text)


def _note_outside(watched: Watched, url: str, site: Site) -> None:
    if not url.startswith((site.address, "data:", "blob:")):
        watched.faults.append(f"left the site: {url}")


def sign_in(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/accounts/login/")
    page.get_by_label("Email").fill(site.email)
    page.get_by_label("Password").fill(site.password)
    page.locator("main button.go").click()
    page.wait_for_url(f"{site.address}/")


@pytest.mark.parametrize("width", [WIDE, PHONE])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_every_page_is_clean_and_fits(site: Site, browser: Browser, width: int, colours: str) -> None:
    with browser.new_context(viewport={"width": width, "height": 800}, color_scheme=colours) as context:
        watched = opened(context, site)
        page = watched.page
        _visit(page, site, (*OPEN_PAGES, f"/s/{site.submission}/", "/b/board/?c=map_at_50&slice=kind%3Aodd"))
        sign_in(page, site)
        _visit(page, site, (*MEMBERS_PAGES, f"/s/{site.submission}/"))
        assert watched.faults == []


def _visit(page: Page, site: Site, paths: tuple[str, ...]) -> None:
    for path in paths:
        assert page.goto(site.address + path).ok, path
        page.wait_for_load_state("networkidle")
        too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert too_wide == 0, f"{path} is {too_wide} px too wide"
        assert page.locator("h1").count() == 1, path


def test_a_click_on_a_header_sorts_in_place_and_in_the_address(site: Site, browser: Browser) -> None:
    with browser.new_context(viewport={"width": WIDE, "height": 800}) as context:
        watched = opened(context, site)
        page = watched.page
        page.goto(f"{site.address}/b/board/")
        first = page.locator("tbody .name").first.inner_text()
        page.evaluate("window.sameDocument = true")
        page.locator("#sort-map_at_10").click()
        page.wait_for_url("**/b/board/?sort=map_at_10")
        expect(page.locator("tbody .name").last).to_have_text(first, use_inner_text=True)
        assert page.evaluate("window.sameDocument") is True
        page.go_back()
        expect(page.locator("tbody .name").first).to_have_text(first, use_inner_text=True)
        assert watched.faults == []


def test_a_slice_and_a_protocol_are_chosen_by_the_address(site: Site, browser: Browser) -> None:
    with browser.new_context(viewport={"width": WIDE, "height": 800}) as context:
        page = opened(context, site).page
        page.goto(f"{site.address}/b/board/")
        page.get_by_label("Slice").select_option("odd")
        page.get_by_role("button", name="Apply").click()
        page.wait_for_url("**slice=kind%3Aodd**")
        expect(page.locator(".finding")).to_contain_text("on odd queries")
        page.get_by_role("link", name="clean").click()
        page.wait_for_url("**protocol=clean**")
        expect(page.locator("[aria-current]", has_text="clean")).to_be_visible()


def test_a_method_in_the_table_leads_to_its_page(site: Site, browser: Browser) -> None:
    with browser.new_context(viewport={"width": WIDE, "height": 800}) as context:
        page = opened(context, site).page
        page.goto(f"{site.address}/b/board/")
        page.locator("#sort-map_at_10").click()
        page.wait_for_url("**?sort=map_at_10")
        page.get_by_role("link", name="Random 1").click()
        expect(page.locator("h1")).to_have_text("Random 1")
        expect(page.locator("#progress")).to_contain_text("What happened")


def test_a_check_without_a_file_says_so_in_place(site: Site, browser: Browser) -> None:
    with browser.new_context(viewport={"width": WIDE, "height": 800}) as context:
        page = opened(context, site).page
        sign_in(page, site)
        page.goto(f"{site.address}/b/board/submit/")
        page.get_by_role("button", name="Check the file").click()
        expect(page.locator("#report")).to_contain_text("Choose a file first")


def test_intervals_show_on_hover_and_by_the_tick_box(site: Site, browser: Browser) -> None:
    with browser.new_context(viewport={"width": WIDE, "height": 800}) as context:
        page = opened(context, site).page
        page.goto(f"{site.address}/b/board/")
        interval = page.locator("tbody td.n .ci").first
        expect(interval).to_be_hidden()
        page.locator("tbody tr").first.hover()
        expect(interval).to_be_visible()
        page.mouse.move(0, 0)
        expect(interval).to_be_hidden()
        page.get_by_label("Intervals as numbers").check()
        expect(interval).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_file_is_checked_submitted_and_its_result_seen(
    site: Site, browser: Browser, tmp_path: Path, scripts: bool
) -> None:
    bad, good = tmp_path / "bad.json", tmp_path / "good.json"
    bad.write_text("{}")
    good.write_bytes(run_file(rank=ranked_at_random(7)))
    with browser.new_context(viewport={"width": PHONE, "height": 800}, java_script_enabled=scripts) as context:
        watched = opened(context, site)
        page = watched.page
        sign_in(page, site)
        page.goto(f"{site.address}/b/board/submit/")
        page.get_by_label("Drop a run here").set_input_files(bad)
        page.get_by_role("button", name="Check the file").click()
        expect(page.locator("#report")).to_contain_text("bad.json cannot be scored yet")
        page.get_by_label("Drop a run here").set_input_files(good)
        page.get_by_role("button", name="Check the file").click()
        expect(page.locator("#report")).to_contain_text("good.json can be scored")
        if not scripts:  # A browser does not keep the chosen file over a new page.
            page.get_by_label("Drop a run here").set_input_files(good)
        page.get_by_label("Name of the method").fill(f"Uploaded {scripts}")
        page.get_by_role("button", name="Submit", exact=True).click()
        page.wait_for_url("**/s/*/")
        expect(page.locator("#progress")).to_contain_text("mAP@10, 95% interval")
        page.get_by_role("button", name="Make it public").click()
        expect(page.locator(".steps")).to_contain_text("the table shows it")
        page.goto(f"{site.address}/b/board/")
        expect(page.locator("tbody")).to_contain_text(f"Uploaded {scripts}")
        assert watched.faults == []


def test_the_table_sorts_without_scripts(site: Site, browser: Browser) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = opened(context, site).page
        page.goto(f"{site.address}/b/board/")
        page.locator("#sort-method").click()
        expect(page.locator("th.name[aria-sort=ascending]")).to_be_visible()


def test_colours_change_at_once_and_stay(site: Site, browser: Browser) -> None:
    with browser.new_context(color_scheme="light") as context:
        watched = opened(context, site)
        page = watched.page
        page.goto(f"{site.address}/")
        before = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        with page.expect_response("**/theme/"):
            page.get_by_role("button", name="Colours: dark").click()
        after = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert before != after
        page.reload()
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == after
        assert watched.faults == []


def test_menus_open_and_close_with_the_keyboard(site: Site, browser: Browser) -> None:
    with browser.new_context(viewport={"width": WIDE, "height": 800}) as context:
        page = opened(context, site).page
        page.goto(f"{site.address}/b/board/")
        page.locator("summary", has_text="Export").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name="CSV for a spreadsheet")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("link", name="CSV for a spreadsheet")).to_be_hidden()
