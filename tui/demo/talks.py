"""The made-up conversations of the demo archive."""

from __future__ import annotations

from core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Say:
    """One turn: `person`, `assistant`, `call`, `result`, `summary`, or `broken` (a line that does not parse)."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Talk:
    """One session."""

    name: str
    runtime: str
    start: str
    """When it began, ISO, UTC."""
    cwd: str
    says: tuple[Say, ...]
    title: str = ""
    branch: str = "main"
    subagent: tuple[Say, ...] = ()


def _p(text: str) -> Say:
    return Say("person", text)


def _a(text: str) -> Say:
    return Say("assistant", text)


def _tool(command: str, output: str) -> tuple[Say, Say]:
    return Say("call", command), Say("result", output)


_PAYMENTS = "/home/sam/code/payments"
_GARDEN = "/home/sam/code/garden-planner"
_RADIO = "/home/sam/code/tide-radio"

TALKS: tuple[Talk, ...] = (
    Talk(
        "retry-budget",
        "claude",
        "2026-03-12T14:02:00",
        _PAYMENTS,
        (
            _p(
                "The payment client retries forever when the bank is down. Please stop that without losing real payments."
            ),
            _a(
                "I would use exponential backoff with jitter, starting at 200 ms and doubling up to 30 seconds per attempt."
            ),
            _p(
                "I'd rather have a retry budget than endless backoff: if more than ten percent of calls are retries, give up early."
            ),
            _a(
                "A budget it is. I will count calls and retries in a sliding minute and refuse a retry once the share of "
                "retries passes ten percent. Idempotency keys stay, so a refused retry never charges twice."
            ),
            *_tool(
                "pytest -q tests/test_retry_budget.py",
                "2 passed, 1 failed\nFAILED tests/test_retry_budget.py::test_budget_refills_after_a_minute - KeyError: 'ledger-shard-7'",
            ),
            _p("Merge what is green and leave the refill test red for now, we look at the clock on Monday."),
            _a(
                "Merged the retry budget into main as 4be21d7. One test is left red on purpose: test_budget_refills_after_a_minute."
            ),
        ),
        title="Retry budget for the payment client",
        branch="retry-budget",
        subagent=(
            _p("Find every place that retries a bank call, and say which of them use an idempotency key."),
            _a(
                "Four places retry: client.py, refunds.py, payouts.py and the nightly job. Only payouts.py sends no idempotency key."
            ),
        ),
    ),
    Talk(
        "webhook-backoff",
        "claude",
        "2026-04-02T09:15:00",
        _PAYMENTS,
        (
            _p("Our webhook consumer drops events when the queue is full. Can it back off instead?"),
            _a(
                "Yes: answer 429 with Retry-After, and let the sender back off. The consumer then never holds more than 500 events."
            ),
            _p("Use 503, two of our senders ignore 429."),
            _a(
                "Changed to 503 with Retry-After, and noted the two senders that ignore 429 in docs/webhooks.md. All tests pass."
            ),
        ),
        branch="webhook-backpressure",
    ),
    Talk(
        "flaky-retries",
        "codex",
        "2026-03-30T16:40:00",
        _PAYMENTS,
        (
            _p("The retry tests are flaky again, they fail one time in five on CI."),
            _a("They read the real clock. I will pass a clock into the budget and step it by hand in the tests."),
            *_tool("pytest -q --count 50", "50 passed in 3.2s"),
            _a(
                "The tests now step a clock of their own; fifty runs passed. The red refill test is green as well, PR #88 is open."
            ),
        ),
        branch="steady-clock",
    ),
    Talk(
        "frost-dates",
        "claude",
        "2026-01-18T19:30:00",
        _GARDEN,
        (
            _p(
                "I want the planner to warn me before the last frost. Where do frost dates come from without any network?"
            ),
            _a(
                "A small table by latitude and altitude is good enough for a warning: each 100 metres upward delays the last "
                "frost by about three days."
            ),
            Say("broken", '{"type":"user","message":{"role":"us'),
            _p("Good, but round to whole weeks, gardeners think in weeks. And tomatoes never before the ice saints."),
            _a(
                "Done: frost warnings are rounded to weeks, and tomatoes wait until May 15, the last of the ice saints."
            ),
        ),
        title="Frost warnings by the week",
    ),
    Talk(
        "bed-rotation",
        "claude",
        "2026-02-08T10:05:00",
        _GARDEN,
        (
            _p("Plan a four year rotation for six beds, heavy feeders must not follow heavy feeders."),
            _a(
                "I modelled it as a graph colouring: beds by year, with the families as colours. It finds a plan in 40 ms."
            ),
            Say(
                "summary",
                "This session is being continued from a previous conversation that ran out of context. The person wants a "
                "four year rotation of six beds; the plan is stored in plan/rotation.json and beans follow cabbage.",
            ),
            _p("Beans after cabbage is right. Keep bed six out of it, that is where the rhubarb stays."),
            _a(
                "Bed six is now fixed to rhubarb and left out of the rotation. The plan for the other five still works."
            ),
        ),
    ),
    Talk(
        "tide-tables",
        "codex",
        "2026-05-21T07:50:00",
        _RADIO,
        (
            _p("Read the tide table aloud every morning, but only the two high tides, in plain words."),
            _a(
                "I build the sentence from the harbour's table: first high tide, second high tide, each with its height in words."
            ),
            _p("The harbour publishes in UTC, people here want local time with summer time."),
            _a(
                "Times are converted to Europe/Lisbon with summer time now, and the sentence says so on the two switching days."
            ),
        ),
    ),
    Talk(
        "storm-siren",
        "claude",
        "2026-06-03T21:12:00",
        _RADIO,
        (
            _p(
                "When a storm warning comes in, interrupt everything and play the siren. It must not play twice for one warning."
            ),
            _a(
                "Each warning gets a fingerprint of its text and hour; the siren plays once per fingerprint and the log keeps it."
            ),
            *_tool("python -m radio.siren --dry-run", "siren would play once\nfingerprint quexo-4471 stored"),
            _p("What if the box restarts in between?"),
            _a(
                "The fingerprints are written to disk before the siren starts, so after a restart it stays silent for the same warning."
            ),
        ),
        branch="storm-siren",
    ),
    Talk(
        "japanese-names",
        "claude",
        "2026-06-28T08:20:00",
        _RADIO,
        (
            _p("港の名前を日本語でも読み上げたい。読み仮名はどこに置けばいい?"),
            _a("読み仮名は harbours.toml の reading という項目に置きます。音声合成にはその項目だけを渡します。"),
            _p("濁点が抜けることがあるので、検査も付けて。"),
            _a(
                "読み仮名に濁点の抜けがないかを起動時に検査し、見つかったら港の名前とともに警告します。テストは通りました。"
            ),
        ),
    ),
)
"""Every session of the demo, in no order that matters."""
