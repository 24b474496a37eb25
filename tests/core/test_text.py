"""The choke point for foreign text: printable, masked, clipped by cells."""

from __future__ import annotations

import itertools
import unicodedata
from re import _parser as re_parser  # type: ignore[attr-defined]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import secrets
from core.secrets import mask, secret_spans
from core.text import cell_width, clip, is_printable, one_line, printable, shown, shown_lines

everything = st.text(st.characters(codec=None), max_size=80)  # lone surrogates included
HOSTILE = {
    "OSC 52": "\x1b]52;c;QUJD\x07",
    "CSI in C1": "\x9b31m",
    "colour": "\x1b[31mred\x1b[0m",
    "override": "\u202eabc\u202c",
    "isolate": "\u2066abc\u2069",
    "tag": "\U000e0041",
    "zero width": "a\u200bb",
    "line separator": "a\u2028b",
    "BOM": "\ufeffx",
    "surrogate": "\ud83d",
    "NUL": "a\x00b",
    "carriage return": "safe\rEVIL",
    "backspace": "abc\b\b\b",
    "DEL": "\x7f",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_control_survives(name: str) -> None:
    clean = printable(HOSTILE[name])
    assert is_printable(clean)
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") and c not in "\n\t" for c in clean)
    assert not any(c in clean for c in "\x1b\x9b\x07\u202e\u2066\u200b")


@given(everything)
def test_printable_is_idempotent_and_complete(text: str) -> None:
    clean = printable(text)
    assert printable(clean) == clean
    assert is_printable(clean)
    assert "\x1b" not in clean
    clean.encode("utf-8")


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_clean_text_is_left_alone(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("text", ["日本語", "👩‍👩‍👧‍👦 🏳️‍🌈", "é́", "עברית", "ไทย", "می‌خواهم", "a\tb\nc"])
def test_letters_of_every_script_stay(text: str) -> None:
    assert printable(text) == text


@given(everything, st.integers(-1, 40))
def test_a_clipped_text_fits(text: str, cells: int) -> None:
    assert cell_width(clip(printable(text), cells)) <= max(0, cells)
    assert cell_width(one_line(text, max(0, cells))) <= max(0, cells)
    assert "\n" not in one_line(text)


def test_clipping_keeps_joined_characters_whole() -> None:
    family = "👩‍👩‍👧‍👦"
    assert clip(f"ab{family}cd", 4) in (f"ab{family}", "ab…", "ab…")
    assert clip("e\u0301e\u0301e\u0301", 2) == "e\u0301…"
    assert clip("日本語テスト", 7) == "日本語…"


SECRETS = {
    "Anthropic key": "sk-ant-api03-" + "a1B2" * 8,
    "OpenAI key": "sk-proj-" + "a1B2" * 8,
    "GitHub token": "ghp_" + "a1B2" * 9,
    "GitLab token": "glpat-" + "a1B2" * 5,
    "AWS key": "AKIA" + "ABCDEFGH" * 2,
    "Google key": "AIza" + "a1B2c" * 7,
    "Slack token": "xoxb-123456789012-" + "a1B2" * 6,
    "Stripe key": "sk_" + "live_" + "a1B2" * 6,
    "npm token": "npm_" + "a1B2" * 9,
    "Hugging Face token": "hf_" + "a1B2" * 9,
    "JSON web token": "eyJhbGciOi" + ".eyJzdWIiOi" + ".c2lnbmF0dXJl",
}


@pytest.mark.parametrize("kind", SECRETS)
def test_known_shapes_are_masked(kind: str) -> None:
    value = SECRETS[kind]
    done = mask(f"use {value} here")
    assert value not in done.text
    assert f"[masked: {kind}]" in done.text
    assert done.count == 1


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("export API_KEY=abc123def456ghi", "API_KEY=", "abc123def456ghi"),
        ('"client_secret": "q1w2e3r4t5y6"', "client_secret", "q1w2e3r4t5y6"),
        ("Authorization: Bearer abcdef1234567890xyz", "Bearer", "abcdef1234567890xyz"),
        ("postgres://sam:hunter22@db.example/app", "db.example", "hunter22"),
        ("password: correct4horse", "password", "correct4horse"),
    ],
)
def test_assignments_keep_their_name(text: str, kept: str, gone: str) -> None:
    done = mask(text).text
    assert kept in done
    assert gone not in done


def test_a_private_key_is_masked_whole() -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\nAAAA\n-----END OPENSSH PRIVATE KEY-----"
    assert mask(f"a\n{key}\nb").text == "a\n[masked: private key]\nb"
    assert "b3Blb" not in mask(key[:60]).text, "a cut key is masked to its end"


@pytest.mark.parametrize(
    "text",
    [
        "commit 4be21d7c9a0f4be21d7c9a0f4be21d7c9a0f1234 is fine",
        "de1e7e00-0000-4000-8000-000000000001",
        "the token count is 4096 tokens",
        "set the password field to required",
        "tokens: input_tokens=900",
        "src/auth/token_store.py:12",
        "access token refresh happens in client.py",
        "secret = get_secret()",
        "https://github.com/owner/repo/pull/227",
        "password=os.environ[NAME]",
        "risk-averse-and-long-word-with-dashes",
    ],
)
def test_recall_needs_hashes_paths_and_plain_words(text: str) -> None:
    assert mask(text).text == text
    assert secret_spans(text) == ()


@given(everything)
def test_masking_is_idempotent(text: str) -> None:
    done = mask(text)
    assert mask(done.text).text == done.text


@given(everything)
def test_shown_is_both(text: str) -> None:
    assert is_printable(shown(text))


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000 + " secret",
        "secret" * 15_000,
        "secret=" * 15_000,
        "x_" * 40_000 + "password",
        "eyJaaaaa-" * 10_000,
        "://" + "a" * 100_000,
        "secret" + " " * 100_000,
    ],
    ids=["run", "names", "assignments", "underscores", "tokens", "address", "blanks"],
)
def test_masking_takes_time_in_proportion_to_the_text(text: str) -> None:
    """Each of these took minutes where a repetition was unbounded; a record may hold any of them."""
    assert mask(text).text == text


def test_the_name_before_an_assigned_secret_stays_whole() -> None:
    assert mask("MY_LONG_API_KEY_FOR_CI=abcd1234efgh5678").text == "MY_LONG_API_KEY_FOR_CI=[masked: secret]"
    assert "5678" not in mask("x" * 300 + "_secret: abcd1234efgh5678").text


@given(st.text(alphabet=st.sampled_from("ab \n\r\t\x1b-\u2028"), max_size=60))
def test_the_lines_of_a_document_keep_their_numbers(text: str) -> None:
    """Markdown ends a line at LF, CR and CR LF: so does the pane that shows the document."""
    lines = shown_lines(text)
    assert len(lines) == text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(is_printable(line) and "\n" not in line for line in lines)


def test_a_secret_of_several_lines_leaves_as_many() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\nabcd\n-----END RSA PRIVATE KEY-----"
    lines = shown_lines(f"first\n{key}\nlast line")
    assert lines == ("first", "[masked: private key]", "", "", "", "last line")
    assert mask(key).text == "[masked: private key]"


def test_what_has_no_long_word_holds_no_credential_of_an_issuer() -> None:
    """The quick look of `secrets._found`: its rules that are passed over there match nothing so short."""
    for rule in secrets._RULES:
        if rule.kind in secrets._OF_ANY_LENGTH:
            continue
        source = rule.pattern.source.rpartition(r"\s{1,20})")[2]  # a bearer token stands after its name
        assert r"\s" not in source, rule.kind
        assert re_parser.parse(source).getwidth()[0] >= secrets._LONG_RUN, rule.kind


def test_the_quick_look_finds_what_every_rule_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = (
        "xoxb-",
        "0123456789",
        "secret=",
        "abcdefgh12",
        " ",
        "://u:pwd@h",
        "-----BEGIN PRIVATE KEY-----",
        "é",
        "eyJhbGci",
    )
    texts = ["".join(parts) for parts in itertools.product(pieces, repeat=3)]
    quick = [secrets._found(text) for text in texts]
    monkeypatch.setattr(secrets, "_SHORT_RULES", secrets._ALL_RULES)
    assert [secrets._found(text) for text in texts] == quick
    assert sum(map(bool, quick)) > 100
    assert secrets._found("0b1c2d3e-1111-2222-3333-0123456789ab") == []
