"""Records written beside the sessions (commits, tags, notes) among the candidates.

They are a past like any other, but a short text must not stand before the conversation it came from where both fit (the
rule that holds for memory claims too). They come first where the cue asks for one: "the commit that …", "who changed …",
"when did we tag …", "the note where …".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.patterns import Pattern
from core.ports import Filters
from core.recall.search import Lead
from core.records.model import WRITTEN, Role

BESIDE = 8
"""Written records that are looked at beside the sessions."""
NEARLY = 0.6
"""A session that fits at least this share of what a written record does stands before it."""
ASKED_FIT = 0.25
"""A record of the kind that was asked for comes first from this fit on: a cue holds words that only ask."""
_KINDS = frozenset(role.value for role in WRITTEN)
_RUNTIMES = frozenset({"git", "notes", "memory"})

_COMMIT = Pattern(
    r"\b(?:the|which|what|that|a|my|his|her|their|our|last|first|in|by|der|den|dem|welche[rnm]?|le|ce|quel|du|el|qué|que|ese|"
    r"cuál|o|qual|esse)\s+(?:\w+\s+){0,2}commits?\b(?!\s+(?:it|this|that|them|these|and push)\b)|\bcommit (?:message|that|where|which|when|by|"
    r"from|of|in|der|qui|que)\b|\bgit (?:log|history|blame|show)\b|"
    r"\bwho (?:(?:was it )?(?:that )?)(?:last )?(?:changed|wrote|added|removed|deleted|fixed|introduced|renamed|committed|touched|raised|"
    r"lowered|bumped|broke|reverted|merged|authored|moved|set|edited)\b|"
    r"\bwer (?:hat|war)\b.*(?:geändert|geschrieben|eingeführt|entfernt|gelöscht|hinzugefügt|committet|erhöht|gesetzt|umbenannt)|"
    r"\bqui a (?:changé|modifié|écrit|ajouté|supprimé|introduit|renommé|augmenté|corrigé)|"
    r"\bqui[eé]n (?:cambió|modificó|escribió|añadió|agregó|quitó|eliminó|introdujo|subió|arregló|renombró)|"
    r"\bquem (?:mudou|alterou|escreveu|adicionou|removeu|apagou|introduziu|aumentou|corrigiu|renomeou)|"
    r"コミット(?!して)|誰が.*(?:変更|変え|追加|削除|書い|直し|修正)|커밋(?!해)|누가.*(?:바꾸|바꿨|변경|추가|삭제|수정|고쳤)|哪(?:个|次)提交|提交记录|"
    r"谁.*(?:改|修改|添加|删除|提交|写)",
    re.IGNORECASE,
)
_TAG = Pattern(
    r"\bwhen (?:did|was|were|have)\b.*\b(?:tag(?:ged)?|releas\w+|ship(?:ped)?|cut)\b|\b(?:the|which|what|a) (?:git |release )?tags?\b|\btagged\b|"
    r"\bwann\b.*\b(?:getaggt|veröffentlicht|released?)\b|\bquand\b.*\b(?:tagu|publi|sorti)\w*|"
    r"\bcu[aá]ndo\b.*\b(?:etiquet|public|lanz)\w*|\bquando\b.*\b(?:tague|marc|public|lanç)\w*|いつ.*(?:タグ|リリース)|"
    r"언제.*(?:태그|릴리스|배포)|什么时候.*(?:打标签|发布|发版)",
    re.IGNORECASE,
)
_NOTE = Pattern(
    r"\badrs?\b|\bdecision (?:records?|notes?|docs?|documents?|logs?)\b|\b(?:the|which|what|that|a|my|our|in) (?:\w+\s+)?notes?\b|"
    r"\bhand-?off (?:note|doc|document|file)\b|\bhandoff\b|\bmemory (?:file|note)s?\b|\b(?:CLAUDE|AGENTS|MEMORY|PATHOS|HANDOFF|DECISIONS)\.md\b|"
    r"\b(?:die|der|welche) (?:\w+)?(?:notiz|entscheidungsvorlage|übergabe)\w*|\b(?:la|une|quelle) note\b|"
    r"\b(?:la|una|qué) nota\b|\b(?:a|uma|qual) nota\b|メモ(?:に|の|を)|決定記録|引き継ぎ|노트|결정 기록|인수인계|笔记|决策记录|交接",
    re.IGNORECASE,
)

_MEMORY = Pattern(
    r"\b(?:in|from|to|into) (?:my|our) memory\b|\b(?:kept|keep|put|saved?|stored?) (?:it )?(?:in|to) (?:the )?memory\b(?! (?:leak|use|usage|limit))|\b(?:my|our|the) (?:kept )?(?:claims?|memories)\b|\bwhat (?:did|have) (?:i|we) (?:keep|kept|"
    r"memorize|memorise)\w*\b|\b(?:i|we) (?:kept|memori[sz]ed)\b|\b(?:im|aus dem) gedächtnis\b|\bwas (?:habe?n?) (?:ich|wir)\b.*\bgemerkt\b|"
    r"\bdans (?:ma|notre) mémoire\b|\ben (?:mi|nuestra) memoria\b|\bna (?:minha|nossa) memória\b|記憶(?:に|した)|기억(?:에|해 둔)|记忆(?:里|中)|记住的",
    re.IGNORECASE,
)


def asked_for(sentence: str) -> frozenset[Role]:
    """The kinds of written records that a person's words ask for; empty where they ask for a session."""
    found = set()
    if _COMMIT.search(sentence):
        found.add(Role.COMMIT)
    if _TAG.search(sentence):
        found.add(Role.TAG)
    if _NOTE.search(sentence):
        found.add(Role.NOTE)
    if _MEMORY.search(sentence):
        found.add(Role.MEMORY)
    return frozenset(found)


def names_written(filters: Filters) -> bool:
    """True if the filters speak of written records themselves (`is:commit`, `agent:git`), or of one record by its id."""
    kinds = {k.lower() for k in filters.kinds}
    runtimes = {r.lower() for r in filters.runtimes}
    return bool(kinds & _KINDS or runtimes & _RUNTIMES or filters.sessions)


def may_hold_written(filters: Filters) -> bool:
    """False where the filters name runtimes or kinds of sessions, none of which a written record has."""
    named = [x for x in (*filters.runtimes, *filters.kinds) if not x.startswith("-")]
    return not named and not filters.roles and not filters.branches


def arranged(sessions: Sequence[Lead], written: Sequence[Lead], asked: frozenset[Role]) -> list[Lead]:
    """Both kinds of candidates in one order; each keeps its own. Written records that were asked for come first, any
    other behind the last session that fits nearly as well, and a claim behind the sessions that are its evidence."""
    best = max((lead.hit.fit for lead in written if lead.hit.entry.spine.role in asked), default=0.0)
    floor = max(ASKED_FIT, NEARLY * best)
    first = [x for x in written if x.hit.entry.spine.role in asked and x.hit.fit >= floor]
    order = list(sessions)
    for lead in reversed([x for x in written if x not in first]):
        behind = rests_on(lead)
        place = max(
            (
                n
                for n, s in enumerate(sessions, 1)
                if s.hit.fit >= NEARLY * lead.hit.fit or s.hit.entry.source.path in behind
            ),
            default=0,
        )
        order.insert(order.index(sessions[place - 1]) + 1 if place else 0, lead)
    return [*first, *order]


def rests_on(lead: Lead) -> frozenset[str]:
    """The records that a claim of memory rests on; none for any other candidate."""
    source = lead.hit.entry.source
    return frozenset(source.meta.split("\n")) - {""} if source.role is Role.MEMORY else frozenset()
