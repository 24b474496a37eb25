"""A cue that is only a time ("last week", "in May", "先週"): what was held then is sought, newest first, not its words.

A time word is said by the person who looks back; a record of that time does not hold it. Our own lists of the words by
which people ask for a time and say nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.patterns import Pattern
from core.ports import Query, TimeWindow
from core.recall.search import Found, Lead
from core.recall.times import DAY, TimePhrase
from core.records.model import Role
from core.records.robots import first_words, robot_reason

AROUND = (3, 14, 60, 400, 20_000)
"""Days around a time in which the nearest record is looked for, where none is of it."""
AMONG = 400
"""Records of a time that are put in order at most."""
PROMPTS, TURNS = 2, 8
"""A session with so many prompts or turns is told before one that only began."""

_WORD = Pattern(r"[^\W_](?:[\w]|['’](?=\w))*")
_ASKING_WORDS = (
    # English
    "a an the that this those these it it's is was were are be been do did does done we we've we'd i i've i'd you us me "
    "my our your what what's which who when where how thing things something anything everything stuff session sessions "
    "conversation conversations chat chats record records work worked working discuss discussed discussing talk talked "
    "talking from of on in at for to about around during with by happened happen had have has show list find all any one "
    "ones some and or just only sometime maybe perhaps please recall remember give tell going went go over back as there "
    "then made make no not but i'm looking look search whole "
    # German
    "der die das den dem des ein eine einen einer was wir ich du uns mir mich habe haben hatte hatten hab gemacht getan "
    "besprochen gearbeitet geredet war waren ist im am um an von vom zu aus sitzung sitzungen gespräch gespräche alles "
    "etwas zeig zeige über und oder es da so woran womit nein "
    # French
    "le la les l un une des de du d ce cet cette que qu quoi on nous j ai avons avait a fait faits était étaient tout "
    "toute qu'est ce chose choses dans en au aux à il y qui est et ou montre moi pendant travaillé discuté c'était c'est qu'on non "
    # Spanish and Portuguese
    "el los las lo qué hicimos hice hemos hecho sesión sesiones conversación conversaciones todo algo del al por durante "
    "fue era muéstrame trabajamos hablamos o os as um uma fizemos fiz sessão sessões conversa conversas tudo em no na nos "
    "nas do da dos das foi e mostra falamos"
)
_ASKING = frozenset(_ASKING_WORDS.split())
_ASKING_SIGNS = Pattern(
    r"^(?:会話|セッション|やった|やつ|もの|こと|作業|仕事|した|して|いた|ました|です|でした|だった|全部|すべて|から|まで|ごろ|頃|何|なに"
    r"|話|あの|その|あれ|それ|[のにはがをでへともかだ]"
    r"|우리가?|대화|세션|작업|했던|했어요?|했지|했|한|뭐|뭘|모든|전부|것|거|일|[에의은는이가을를도]"
    r"|我们|什么|时候|对话|会话|所有|全部|工作|东西|聊|做|干|事|那|个|次|过|了|的|在|我|是)+$"
)


def without_signs(text: str, times: Sequence[TimePhrase]) -> str:
    """`text` with the times blanked that stand in a script without spaces, its length kept: the words beside them are read
    apart from them (先週の再試行)."""
    out = list(text)
    for phrase in times:
        if any("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in phrase.words):
            out[phrase.start : phrase.end] = " " * (phrase.end - phrase.start)
    return "".join(out)


def only_times(text: str, times: Sequence[TimePhrase]) -> bool:
    """True if nothing but times is named in `text`, and words that ask for what was held then."""
    if not times:
        return False
    left = list(text)
    for phrase in times:
        left[phrase.start : phrase.end] = " " * (phrase.end - phrase.start)
    words = _WORD.findall("".join(left).replace("’", "'"))
    return all(w.lower() in _ASKING or _ASKING_SIGNS.match(w) for w in words)


def find_of_time(query: Query, find: Callable[[Query], Found]) -> Found:
    """What lies inside the times of a query that ends with one; where nothing does, what `find` brings for its words; where
    that is nothing, or for a time alone, the conversations of the time, else the records nearest to it."""
    inside = tuple(_inside(query.windows))
    alone = not (query.terms or query.phrases or query.any_of)
    if not inside:
        return find(query)
    sessions = replace(query, written=False, limit=max(AMONG, query.limit)) if alone else query
    found = find(replace(sessions, windows=inside))
    if not alone:
        found = found if found.leads else find(query)
        return found if found.leads else find_of_time(replace(query, terms=(), phrases=(), any_of=()), find)
    for days in AROUND if not found.leads else ():
        found = find(replace(sessions, windows=tuple(_inside(query.windows, days * DAY))))
        if found.leads:
            near = sorted(found.leads, key=lambda lead: _distance(lead, query.windows))
            return replace(found, leads=tuple(near[: query.limit]))
    return replace(found, leads=tuple(_worth_telling_first(found.leads)[: query.limit]))


def held_then(leads: Sequence[Lead], windows: Sequence[TimeWindow]) -> list[Lead]:
    """Those of a time that a person held, newest first."""
    return [x for x in _worth_telling_first(leads) if _worth(x, {}) == 0 and _distance(x, windows) <= 0]


def _inside(windows: Sequence[TimeWindow], wider: float = 0.0) -> list[TimeWindow]:
    """The times as hard windows, `wider` seconds on each side, each cut to where a correction ("earlier") left off."""
    edges = [w for w in windows if w.hard]
    named = [replace(w, start=w.start - wider, end=w.end + wider) for w in windows if not w.hard]
    if not edges or not named:
        return [replace(w, hard=True, slack=0.0) for w in (named or edges)]
    cut = [TimeWindow(max(w.start, e.start), min(w.end, e.end), 0.0, True) for w in named for e in edges]
    return [w for w in cut if w.start < w.end]


def _worth_telling_first(leads: Sequence[Lead]) -> list[Lead]:
    """Newest first: conversations a person held, then those that only began, then what programs and subagents left."""
    prompts = Counter(first_words(lead.hit.entry.spine) for lead in leads)

    def place(lead: Lead) -> tuple[int, float]:
        spine = lead.hit.entry.spine
        newest = spine.ended if spine.ended is not None else spine.started
        return _worth(lead, prompts), -(newest or 0.0)

    return sorted(leads, key=place)


def _worth(lead: Lead, prompts: Mapping[str, int]) -> int:
    """0 for a conversation that a person held, 1 for one that only began, 2 for what programs and subagents left."""
    entry = lead.hit.entry
    if entry.spine.role is not Role.MAIN or robot_reason(entry.spine, prompts):
        return 2
    return 0 if entry.spine.prompts >= PROMPTS or entry.tally.turns >= TURNS else 1


def _distance(lead: Lead, windows: Sequence[TimeWindow]) -> float:
    """Seconds between a record and the nearest of the times; records without a time come last."""
    spine = lead.hit.entry.spine
    first = spine.started if spine.started is not None else spine.ended
    last = spine.ended if spine.ended is not None else first
    if first is None or last is None:
        return float("inf")
    return min((max(first - w.end, w.start - last, 0.0) for w in windows if not w.hard), default=0.0)
