"""A worker's last message, as people and models write it."""

from __future__ import annotations

import pytest

from core.delegation.worker_report import read_report

ID = "dlg_1780000000000_abc"


@pytest.mark.parametrize(
    ("text", "deviations", "findings"),
    [
        (f"[recollect {ID}]\nDEVIATIONS: none\nFINDINGS: none", (), ()),
        (f"Done.\n\n[recollect {ID}]\nDEVIATIONS: pay/x.py, `web/y.ts`\nFINDINGS: The bank hangs up; Retries are cheap.",
         ("pay/x.py", "web/y.ts"), ("The bank hangs up", "Retries are cheap.")),
        ((f"**[recollect {ID}]**\n\n**Deviations:**\n- `pay/x.py`: the rate is there (see pay/z.py)\n- docs/plan.md:12\n\n"
         "### Findings\n1. The bank hangs up\n   after 30 s.\n2. Retries are cheap.\n\nThanks for the work."),
         ("pay/x.py", "docs/plan.md"), ("The bank hangs up after 30 s.", "Retries are cheap.")),
        (f"[RECOLLECT {ID}]\nAbweichungen: keine\nErkenntnisse: Die Bank legt auf.", (), ("Die Bank legt auf.",)),
        (f"[recollect {ID}]\n偏差：无\n发现：银行会挂断。", (), ("银行会挂断。",)),
        (f"[recollect {ID}]\r\nDEVIATIONS - none.\r\nFINDINGS - N/A", (), ()),
        (f"[recollect {ID}]\nAll is done.", None, ()),
        (f"```\n[recollect {ID}]\nDEVIATIONS:\n- pay/x.py\n\nFINDINGS:\n- The bank hangs up.\n```\nBye.", ("pay/x.py",), ("The bank hangs up.",)),
        (f"[recollect {ID}]\nDEVIATIONS: no deviations were made.\nFINDINGS: None found.", (), ()),
        (f"[recollect {ID}]\nDEVIATIONS: nothing, all within scope\nFINDINGS: Nothing calls tax.py.", (), ("Nothing calls tax.py.",)),
        ("FINDINGS: a; b; c; d; e", None, ("a", "b", "c")),
        ("", None, ()),
    ],
)  # fmt: skip
def test_a_report_is_read(text: str, deviations: tuple[str, ...] | None, findings: tuple[str, ...]) -> None:
    found = read_report(text)
    assert (found.deviations, found.findings) == (deviations, findings)
    assert found.identity == (ID if ID in text else "")


def test_the_last_header_counts_and_findings_beyond_three_are_counted() -> None:
    text = (
        f"[recollect dlg_old_1]\nFINDINGS: old\n\n[recollect {ID}]\nDEVIATIONS: none\nFINDINGS:\n- a\n- b\n- c\n- d\n"
    )
    found = read_report(text)
    assert (found.identity, found.findings, found.more_findings) == (ID, ("a", "b", "c"), 1)


def test_a_packet_that_is_quoted_in_full_is_no_report_of_deviations() -> None:
    from core.delegation.render import render
    from tests.core.delegation.goldens import large

    quoted = render(large(), 8000).text
    said = f"{quoted}\n\n[recollect {ID}]\nDEVIATIONS: a.py\nFINDINGS: none"
    assert read_report(said).deviations == ("a.py",)
