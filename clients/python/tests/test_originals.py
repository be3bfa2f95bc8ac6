from __future__ import annotations

from typing import Any, cast

import pytest

from acervo import CloudOriginal, FileOriginal, Original, UnknownOriginal, WebOriginal, models, original_of

HINTS: models.FileHints = {
    "home_var": "ROOT",
    "relative_path": "a/b.md",
    "path": "/library/a/b.md",
    "origin": "FOLDER",
    "is_absolute": False,
    "is_public_url": False,
    "is_cloud_only": False,
}
WEB = "https://example.org/b"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({"is_cloud_only": True, "is_absolute": True}, CloudOriginal(None), id="stays with its provider"),
        pytest.param({"is_cloud_only": True, "source_url": WEB}, CloudOriginal(WEB), id="has an address there"),
        pytest.param({"is_public_url": True, "path": WEB, "is_absolute": True}, WebOriginal(WEB), id="is an address"),
        pytest.param({"origin": "PUBLIC", "path": WEB}, WebOriginal(WEB), id="comes from a public origin"),
        pytest.param({"is_absolute": True, "path": "/srv/b.md"}, FileOriginal("/srv/b.md"), id="has an absolute path"),
        pytest.param({}, FileOriginal("/home/ana/library/a/b.md"), id="lies below a local root"),
        pytest.param({"home_var": None}, UnknownOriginal(None), id="has no variable"),
        pytest.param({"home_var": "OTHER"}, UnknownOriginal("OTHER"), id="has a variable that is unset"),
        pytest.param({"relative_path": "../b.md"}, UnknownOriginal("ROOT"), id="would leave its root"),
    ],
)
def test_an_original_is_resolved_by_its_rule(change: dict[str, Any], expected: Original) -> None:
    hints = cast(models.FileHints, {**HINTS, **change})
    assert original_of(hints, {"ROOT": "/home/ana/library/"}) == expected


def test_a_root_of_windows_gets_its_own_separators() -> None:
    assert original_of(HINTS, {"ROOT": "C:\\Users\\ana"}) == FileOriginal("C:\\Users\\ana\\a\\b.md")
