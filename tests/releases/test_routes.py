"""``ipc-lint routes`` on real releases: every site that a plain reading of the trees finds is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import corpus
from tests.project import json_of, run
from tests.releases.labels import LABELS
from tests.releases.listing import Release, Spot

# Sites that can't be told by the name of what is called: copies, factories, classes kept in an
# attribute or a parameter, functions that hand on to the sender.
CALLED = {
    "construction": {
        "self._create_generation_req",
        "self.tokenized_generate_req_type",
        "self.batch_tokenized_generate_req_type",
        "req_factory",
    },
    "copy": {"copy.copy"},
    "send": {
        "self.send_abort_output",
        "self.send_control_output",
        "self._send_output",
        "self._send_response",
    },
}
# It tests what it received and stamps what it has split off from that.
SPLITS = "MultiDetokenizerRouter.event_loop"


def listed(release: str) -> list[dict[str, Any]]:
    """What ``ipc-lint routes`` lists at the root of a release; nothing may go unread."""
    done = run("routes", "--output-format", "json", cwd=corpus.tree(release))
    assert (done.returncode, done.stderr) == (0, "")
    report = json_of(done)
    assert report["errors"] == []
    found: list[dict[str, Any]] = report["sites"]
    return found


def called(tree: Path, site: dict[str, Any]) -> str:
    """The source of what a site calls."""
    lines = (tree / site["path"]).read_text(encoding="utf-8").splitlines()
    text: str = lines[site["line"] - 1][site["column"] - 1 :]
    return text.partition("(")[0]


def spots(sites: list[dict[str, Any]], *kinds: str) -> set[Spot]:
    """Where the sites of some kinds start."""
    return {Spot(site["path"], site["line"]) for site in sites if site["kind"] in kinds}


# One test a release: reading it plainly takes longer than anything else here.
@pytest.mark.parametrize("release", LABELS)
def test_every_site_is_listed(release: str) -> None:
    tree = corpus.tree(release)
    everything = listed(release)
    lost = [{**site, "message": site["reason"]} for site in everything if site["outcome"] == "lost"]
    assert LABELS[release].amiss(lost) == []

    sites = [site for site in everything if called(tree, site) not in CALLED.get(site["kind"], ())]
    sites = [site for site in sites if site["symbol"] != SPLITS or site["kind"] != "gate"]
    plain = Release(tree)
    constructions, sends, gates, stamps = plain.constructions(), plain.sends(), plain.gates(), plain.stamps()
    assert spots(sites, "construction", "copy") == constructions
    assert spots(sites, "send") == sends
    assert spots(sites, "gate") == gates
    assert spots(sites, "stamp") >= stamps
    assert len(constructions) > 100
    assert (len(sends) >= 9, len(gates), len(stamps) >= 5) == (True, 4, True)
