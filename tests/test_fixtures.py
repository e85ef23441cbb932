"""The fixture projects through the real command line: exactly the findings that their markers say."""

from __future__ import annotations

from pathlib import Path

from tests.project import differences, found_by_command, marked

RELAY = Path(__file__).parent / "fixtures" / "relay"
FILES = {path.relative_to(RELAY).as_posix(): path.read_text() for path in sorted(RELAY.rglob("*.py"))}


def test_a_fault_of_each_kind_is_found_and_nothing_else() -> None:
    assert differences(found_by_command(RELAY, field="back_to"), FILES) == []


def test_one_file_alone_gives_what_the_whole_gives_for_it() -> None:
    desk = found_by_command(RELAY, "relay/desk.py", field="back_to")
    assert desk == [spot for spot in marked(FILES) if spot.path == "relay/desk.py"]
