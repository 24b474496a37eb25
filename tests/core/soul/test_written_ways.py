"""Files and names in the ways that people write them: lists in one span, patterns of names, scripts, possessives."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.soul.model import State
from tests.core.git_made import Made
from tests.core.soul.projects import one, project, run, state

FRESH = [
    "`start.sh:2` begins it", "start.sh:1-2 begins it", "`pay/client.py,pay/rates.py` talk", "`client.py, rates.py` talk",
    "client.py's budget", "`*.ts` draws", "`test_*.py` holds", "`pay.client:refund` is the entry",
    "`pay/client.py::Client.send` sends",
]  # fmt: skip
HELD = [
    "`pay/{client,rates}.py:3` says so", "`pay/mod01..mod09` are alike", "`main...side` differ", "`a/b/c` style", "`yes/db`",
    "`*.zig` is spared", "`bun.sh/docs` tells", "`x.py, y.py` could be",
]  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Made:
    body = "\n".join(f"- {claim}" for claim in (*FRESH, *HELD))
    return project(tmp_path_factory.mktemp("ways") / "r", state(body))


def test_each_way_of_writing_is_read_and_none_is_called_stale(base: Made) -> None:
    states = [i.state for i in run(base.root).items]
    assert states[: len(FRESH)] == [State.FRESH] * len(FRESH)
    assert states[len(FRESH) :] == [State.UNPROVABLE] * len(HELD)


@pytest.mark.parametrize(
    ("claim", "gone"),
    [
        ("`start.sh:2` begins it", "scripts/start.sh"),
        ("`pay/client.py,pay/rates.py` talk", "pay/rates.py"),
        ("`client.py, rates.py` talk", "pay/client.py"),
        ("client.py's budget", "pay/client.py"),
        ("`*.ts` draws", "web/src/cart.ts"),
        ("`pay.client:refund` is the entry", "pay/client.py"),
        ("`pay/{client,rates}.py:3` says so", "pay/client.py"),
    ],
)
@pytest.mark.parametrize("committed", [True, False])
def test_what_they_name_is_missed_when_it_goes(tmp_path: Path, claim: str, gone: str, committed: bool) -> None:
    made = project(tmp_path / "r", state(f"- {claim}"))
    made.git("rm", "-q", gone)
    if committed:
        made.commit("Drop it")
    assert one(run(made.root)).state is State.STALE
