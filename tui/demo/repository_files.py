"""The files of the demo's project, commit by commit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_SOUL = (Path(__file__).parent / "talks_text" / "pathos.md").read_text(encoding="utf-8")


def _manifest(version: str) -> str:
    return f"""[project]
name = "payments"
version = "{version}"
requires-python = ">=3.12"

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["."]
"""


_CLIENT = '''"""Calls the bank."""

from src.refunds import Refund


class BankClient:
    """One bank."""

    def __init__(self, url: str) -> None:
        self.url = url

    def send(self, order: str, revision: int, cents: int) -> bool:
        """Charge an order once."""
        return bool(self.key(order, revision)) and cents > 0

    def refund(self, order: str, cents: int) -> Refund:
        """Give money back."""
        return Refund(order, cents)
'''
_KEY = '''
    @staticmethod
    def key(order: str, revision: int) -> str:
        """The idempotency key: from the order and its revision, never random."""
        return f"{order}:{revision}"
'''
_REFUNDS = '''"""Money that goes back."""

from dataclasses import dataclass


@dataclass
class Refund:
    order: str
    cents: int


def parts(cents: int, count: int) -> list[int]:
    """Split an amount; the last part takes what is left."""
    share = cents // count
    return [share] * (count - 1) + [cents - share * (count - 1)]
'''
_BUDGET = '''"""When a call may be tried again."""


class RetryBudget:
    """Refuses a retry once a tenth of the calls are retries."""

    SHARE = 0.1

    def __init__(self) -> None:
        self.calls = 0
        self.retries = 0

    def allow(self) -> bool:
        """True if one more retry is within the budget."""
        return self.retries < self.calls * self.SHARE
'''
_PER_BANK = '''"""When a call may be tried again, for each bank apart."""


class RetryBudget:
    """Refuses a retry once a tenth of a bank's calls are retries."""

    SHARE = 0.1
    ALWAYS_BELOW = 20

    def __init__(self) -> None:
        self.calls: dict[str, int] = {}
        self.retries: dict[str, int] = {}

    def allow(self, bank: str) -> bool:
        """True if one more retry is within the bank's budget."""
        calls = self.calls.get(bank, 0)
        return calls < self.ALWAYS_BELOW or self.retries.get(bank, 0) < calls * self.SHARE
'''
_WEBHOOKS = '''"""Takes webhooks in, and sends them out."""

FULL = 500


def answer(waiting: int) -> int:
    """The status for a sender: 503 when the queue is full."""
    return 503 if waiting >= FULL else 202
'''
_SIGNED = '''"""Takes webhooks in, and sends them out, signed and numbered."""

import hashlib
import hmac

FULL = 500


def signature(secret: bytes, body: bytes) -> str:
    """What a partner checks."""
    return hmac.new(secret, body, hashlib.sha256).hexdigest()


def answer(waiting: int) -> int:
    """The status for a sender: 503 when the queue is full."""
    return 503 if waiting >= FULL else 202
'''
_WRITER = '''"""Writes the ledger."""

from ledger.shards import shard_of


class LedgerWriter:
    """Writes an entry to SQLite first, then to Postgres."""

    def write(self, account: str, cents: int) -> int:
        return shard_of(account) + cents
'''
_WRITER_ALONE = '''"""Writes the ledger."""


class LedgerWriter:
    """Writes an entry to Postgres."""

    def write(self, account: str, cents: int) -> int:
        return cents
'''
_SHARDS = '''"""Which SQLite file an account lives in."""


def shard_of(account: str) -> int:
    return sum(account.encode()) % 8
'''
_READER = '''"""Reads the ledger, from where settings.toml says."""


class LedgerReader:
    def day(self, account: str, day: str) -> int:
        return 0
'''
_ADR = """# 3. Idempotency keys

Accepted on 2026-02-11. The idempotency key is derived from the order's id and its revision, never from the amount, and never
random. A changed amount raises the revision. One place builds the key: `BankClient.key`.
"""
_TEST = """from src.budget import RetryBudget


def test_a_quiet_bank_may_always_retry() -> None:
    assert RetryBudget().allow("north")
"""
_OLD_TEST = """from src.retry import RetryBudget


def test_nothing_is_retried_before_a_call() -> None:
    assert not RetryBudget().allow()
"""
_RULES = """# Rules

1. A bank is never called inside a transaction.
2. An entry of the ledger is never changed; a correction is a new entry.
"""
_ANA, _SAM = "Ana Ruiz", "Sam Okoro"

COMMITS: tuple[tuple[str, str, str, Mapping[str, str | None], str], ...] = (
    ("2026-01-08T09:00:00", _SAM, "Start the payments service",
     {".gitignore": "__pycache__/\n.pytest_cache/\n", "pyproject.toml": _manifest("1.0.0"), "src/client.py": _CLIENT, "src/refunds.py": _REFUNDS,
      "ledger/shards.py": _SHARDS, "README.md": "# Payments\n"}, "v1.0.0"),
    ("2026-01-12T11:00:00", _SAM, "Plan the move of the ledger to Postgres (#41)",
     {"docs/ledger-move.md": "# The ledger moves\n\nWrite both, compare, read from Postgres alone.\n"}, ""),
    ("2026-01-20T16:00:00", _ANA, "Keep the ledger in one table partitioned by day (#41)",
     {"db/ledger.sql": "create table ledger (account text, day date, cents numeric) partition by range (day);\n"}, ""),
    ("2026-02-03T12:00:00", _SAM, "Write the ledger to SQLite and to Postgres (#41)",
     {"ledger/writer.py": _WRITER, "settings.toml": "[ledger]\nwrite_both = false\nread_postgres = false\n"}, ""),
    ("2026-02-11T16:00:00", _SAM, "Derive idempotency keys from the order and its revision",
     {"docs/adr/0003-idempotency-keys.md": _ADR, "src/client.py": _CLIENT + _KEY}, ""),
    ("2026-03-02T20:00:00", _ANA, "Read the payout export through the ledger's reader (#41)",
     {"ledger/reader.py": _READER, "exports/payouts.py": "from ledger.reader import LedgerReader\n"}, ""),
    ("2026-03-09T07:00:00", _SAM, "Read the ledger from Postgres alone (#41)",
     {"settings.toml": "[ledger]\nwrite_both = true\nread_postgres = true\n", "pyproject.toml": _manifest("1.1.0")}, "v1.1.0"),
    ("2026-03-12T15:00:00", _SAM, "Give up early when a tenth of the calls are retries (#88)",
     {"src/retry.py": _BUDGET, "tests/test_retry.py": _OLD_TEST}, ""),
    ("2026-03-26T10:00:00", _ANA, "Keep bank calls out of transactions",
     {"docs/rules.md": _RULES, "docs/reviews/2026-03-24.md": "# The outage of March 24\n"}, ""),
    ("2026-04-02T10:00:00", _SAM, "Answer 503 with Retry-After when the queue is full (#90)",
     {"src/webhooks.py": _WEBHOOKS, "docs/webhooks.md": "# Webhooks\n\nTwo senders ignore 429.\n"}, ""),
    ("2026-05-08T09:00:00", _SAM, "Write down where the project stands", {"docs/PATHOS.md": _SOUL}, ""),
    ("2026-05-12T10:00:00", _ANA, "Sign and number webhooks (#92, #94)",
     {"src/webhooks.py": _SIGNED, "docs/webhooks.md": "# Webhooks\n\nThey may arrive in any order.\n"}, ""),
    ("2026-05-20T10:00:00", _ANA, "Delete the SQLite ledger (#41)",
     {"ledger/shards.py": None, "ledger/writer.py": _WRITER_ALONE}, ""),
    ("2026-06-16T10:30:00", _SAM, "Call the retry budget by its name",
     {"src/retry.py": None, "src/budget.py": _BUDGET, "tests/test_retry.py": None, "tests/test_budget.py": _OLD_TEST}, ""),
    ("2026-06-16T11:00:00", _SAM, "Keep the retry budget per bank (#97)",
     {"src/budget.py": _PER_BANK, "tests/test_budget.py": _TEST, "pyproject.toml": _manifest("1.2.0")}, "v1.2.0"),
)  # fmt: skip
"""When, who, why, the files (`None`: taken away) and a tag."""
