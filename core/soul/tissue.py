"""Which sections are declared, which verifiable, and which are history (design/soul.md 1).

A heading is compared without emoji, numbering, punctuation and case. The table holds synonyms in eight languages and
may be extended in `[tool.recollect.soul]` of `pyproject.toml` or in `.recollect.toml`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import field

from core.frozen import dataclass
from core.soul.model import Tissue

_DECLARED = (
    # English
    "north star", "pathos", "human agent pathos", "agent pathos", "human pathos", "operating doctrine", "doctrine", "do not do",
    "do not", "donts", "dont do", "dont", "never do", "open questions", "open question", "proof standard", "proof standards", "standard of proof",
    "principles", "guiding principles", "house rules", "ground rules", "working agreement", "values", "vision", "mission", "non goals",
    "decisions pending", "what counts as proof",
    # Portuguese
    "norte", "estrela do norte", "doutrina de operacao", "doutrina operacional", "doutrina", "nao fazer", "o que nao fazer",
    "perguntas em aberto", "questoes em aberto", "perguntas abertas", "padrao de prova", "padrao de provas", "principios", "visao", "missao",
    # Spanish
    "estrella polar", "estrella del norte", "doctrina operativa", "doctrina de operacion", "doctrina", "no hacer", "que no hacer", "lo que no se hace",
    "preguntas abiertas", "cuestiones abiertas", "estandar de prueba", "estandar de pruebas", "principios", "vision", "mision",
    # German
    "nordstern", "leitstern", "leitbild", "arbeitsweise", "betriebsdoktrin", "grundsatze", "nicht tun", "verboten", "was wir nicht tun", "offene fragen",
    "beweisstandard", "beweismassstab", "nachweisstandard", "prinzipien", "ziele und nichtziele",
    # French
    "etoile polaire", "cap", "doctrine operationnelle", "doctrine", "ne pas faire", "a ne pas faire", "interdits", "questions ouvertes",
    "norme de preuve", "standard de preuve", "niveau de preuve", "principes", "mission",
    # Korean
    "북극성", "운영 원칙", "운영 교리", "원칙", "하지 말 것", "금지 사항", "열린 질문", "미해결 질문", "증명 기준", "검증 기준",
    # Japanese
    "北極星", "運用方針", "運用原則", "原則", "やってはいけないこと", "やらないこと", "禁止事項", "未解決の問い", "未解決の質問", "未解決事項", "証明基準", "検証基準",
    # Chinese
    "北极星", "运行准则", "操作准则", "工作原则", "原则", "不要做", "禁止事项", "不做的事", "开放问题", "待解问题", "未决问题", "证明标准", "验证标准",
)  # fmt: skip
_VERIFIABLE = (
    # English
    "current state", "state", "status", "access map", "known problems", "known issues", "next agent prompt", "first commands",
    "how to run", "next steps", "next step", "where things are", "architecture", "layout", "setup", "environment", "deployment", "releases",
    "recent changes", "in flight", "done", "todo", "backlog", "risks", "dependencies", "tests", "testing", "commands", "project structure", "overview",
    # Portuguese
    "estado atual", "estado real", "estado", "mapa de acesso", "problemas conhecidos", "prompt para o proximo agente", "primeiros comandos", "proximos passos",
    "como rodar", "arquitetura",
    # Spanish
    "estado actual", "mapa de acceso", "problemas conocidos", "prompt para el proximo agente", "prompt del siguiente agente", "primeros comandos",
    "proximos pasos", "como ejecutar", "arquitectura",
    # German
    "aktueller stand", "stand", "zugange", "zugangskarte", "bekannte probleme", "auftrag fur den nachsten agenten", "erste befehle", "nachste schritte",
    "architektur", "inbetriebnahme",
    # French
    "etat actuel", "etat", "carte des acces", "acces", "problemes connus", "prompt du prochain agent", "prompt pour le prochain agent",
    "premieres commandes", "prochaines etapes",
    # Korean
    "현재 상태", "접근 지도", "접근 경로", "알려진 문제", "다음 에이전트 프롬프트", "첫 명령", "첫 명령어", "다음 단계",
    # Japanese
    "現状", "現在の状態", "アクセスマップ", "既知の問題", "次のエージェントへの指示", "次のエージェントへのプロンプト", "最初のコマンド", "次のステップ",
    # Chinese
    "当前状态", "现状", "访问地图", "访问路径", "已知问题", "给下一个代理的提示", "首要命令", "首批命令", "下一步",
)  # fmt: skip
_HISTORY = (
    "prior era", "prior eras", "prior checkpoint", "prior checkpoints", "previous era", "previous eras", "previous checkpoint",
    "previous checkpoints", "past checkpoints", "earlier checkpoints", "checkpoint history",
    "eras anteriores", "era anterior", "checkpoints anteriores", "checkpoint anterior",
    "epocas anteriores", "puntos de control anteriores", "hitos anteriores",
    "fruhere epochen", "fruhere stande", "fruhere kontrollpunkte", "vorherige epochen", "vergangene epochen",
    "eres precedentes", "epoques precedentes", "points de controle precedents", "jalons precedents",
    "이전 시대", "이전 체크포인트", "過去の時代", "過去のチェックポイント", "以前のチェックポイント", "以往阶段", "以往检查点", "历史检查点", "先前阶段",
)  # fmt: skip

_NUMBERING = re.compile(
    r"^\s*(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[ivxlc]{1,5}|[a-z])[.):]\s+|\d{1,3}\s+|§\s*\d+\s*)", re.IGNORECASE
)
_SPACES = re.compile(r"\s+")
_VOICED = "\u3099\u309a"
"""The marks that make one kana another: letters, where other marks are accents."""


def normal_heading(text: str) -> str:
    """A heading without emoji, numbering, punctuation, accents and case."""
    text = _NUMBERING.sub("", text.strip().lstrip("#").strip().strip("*_`~ "))
    kept = []
    for char in unicodedata.normalize("NFKD", text.casefold()):
        kind = unicodedata.category(char)
        if char in _VOICED:
            kept.append(char)
            continue
        if kind.startswith("M") or char in "'’`":
            continue  # an accent, or a stroke inside a word
        kept.append(char if kind[0] in "LN" else " ")
    return unicodedata.normalize("NFC", _SPACES.sub(" ", "".join(kept)).strip())


@dataclass(frozen=True, slots=True)
class Mapped:
    """What one heading was mapped to."""

    tissue: Tissue
    mapped: bool
    history: bool = False


@dataclass(frozen=True, slots=True)
class TissueTable:
    """Headings to tissue. The three sets hold normalised headings."""

    declared: frozenset[str] = field(default_factory=lambda: _normal(_DECLARED))
    verifiable: frozenset[str] = field(default_factory=lambda: _normal(_VERIFIABLE))
    history: frozenset[str] = field(default_factory=lambda: _normal(_HISTORY))

    def extended(self, extra: Mapping[str, Sequence[str]]) -> TissueTable:
        """The table with a team's own headings: keys `declared`, `verifiable`, `history`. Theirs win over ours."""
        declared, verifiable, history = (_normal(extra.get(k, ())) for k in ("declared", "verifiable", "history"))
        return TissueTable(
            (self.declared - verifiable - history) | declared,
            (self.verifiable - declared - history) | verifiable,
            (self.history - declared - verifiable) | history,
        )

    def lookup(self, heading: str) -> Mapped:
        """The tissue of an H2. Parentheses and what follows a dash or colon are tried without, so that
        `Current State (2026-07-13)` and `Norte (North Star)` are known; an unknown heading is verifiable, unmapped."""
        forms = _forms(heading)
        for form in forms:
            if form in self.history or any(form.startswith(h + " ") for h in self.history):
                return Mapped(Tissue.VERIFIABLE, mapped=True, history=True)
        for form in forms:
            if form in self.declared:
                return Mapped(Tissue.DECLARED, mapped=True)
            if form in self.verifiable:
                return Mapped(Tissue.VERIFIABLE, mapped=True)
        return Mapped(Tissue.VERIFIABLE, mapped=False)


def _normal(headings: Sequence[str]) -> frozenset[str]:
    return frozenset(normal_heading(h) for h in headings)


_CUT = re.compile(r"\s*(?:[(（\[【].*|\s[-–—:·|/].*|[:：].*)$")
_DATES = re.compile(r"\b\d{4}(?:[ -]?\d{2}){0,2}\b|\b\d{1,2} \d{1,2} \d{4}\b")


def _forms(heading: str) -> tuple[str, ...]:
    """Ways to read a heading, the fullest first."""
    whole = normal_heading(heading)
    cut = normal_heading(_CUT.sub("", heading))
    undated = normal_heading(_DATES.sub(" ", whole))
    parts = [normal_heading(p) for p in re.split(r"\s[-–—|/·]\s|[/／]|[:：]|[()（）]", heading)]
    return tuple(dict.fromkeys(form for form in (whole, cut, undated, *parts[:2]) if form))
