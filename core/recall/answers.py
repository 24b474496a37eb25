"""What a person's turn does to what was presented (design/recall.md 2 and 3).

Only the person closes, and only by an observable act: saying that this is it, or going on with it as that past.
Everything doubtful is more cue: a question, a hypothetical, a "yes, but". The rules are a table of whole-utterance
patterns, so that a word inside a longer memory never closes anything.
"""

from __future__ import annotations

import re
from enum import StrEnum

from core.frozen import dataclass
from core.patterns import Pattern
from core.recall import answer_tongues as tongues
from core.recall.filters import AGENT_WORDS


class Act(StrEnum):
    """What a turn does."""

    IDENTIFY = "identify"
    STOP = "stop"
    ACCEPT = "accept"
    """Run the wider search that was offered, or one the person asks for in so many words."""
    DECLINE = "decline"
    """Not the wider search."""
    CORRECT = "correct"
    """Not this one; where to look instead is in the other fields."""
    NARROW = "narrow"
    """This one, but a part of it."""
    PICK = "pick"
    """One of the candidates that were named."""
    WHOLE = "whole"
    """The same past as another whole: the line it belongs to, the topic, the one session."""
    BACK = "back"
    """One that was presented before."""
    CUE = "cue"
    """More of what the person remembers."""
    EMPTY = "empty"
    """Nothing was added."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A turn, read."""

    act: Act
    cue: str = ""
    """The words that are more cue, `""` if none."""
    direction: int = 0
    """-1: before what was presented; 1: after it."""
    runtime: str = ""
    other_project: bool = False
    other_runtime: bool = False
    whole: str = ""
    """`session`, `line`, `topic` or `concept`."""
    ordinal: int = 0
    """Which of the candidates, from 1 (the presented one counts as the first). Of those told before: 1 the first, -1 the
    one before, 0 the one told last, which was left aside."""


_END = r"[\s.!,;:)…]*$"


def _whole(*alternatives: str) -> Pattern:
    return Pattern(r"^(?:" + "|".join(alternatives) + r")" + _END, re.IGNORECASE)


_YES = r"(?:yes|yeah|yep|yup|yea|right|correct|exactly|ah|oh|ok|okay|great|perfect|nice|cool|hey|wow|bingo|indeed|precisely)"
_TAIL = (
    r"(?:[\s,.!]+(?:thanks|thank you|thx|ty|great|perfect|exactly|please|i was looking for|i meant|i had in mind|i mean|"
    r"i was thinking of|i remember|i wanted|yes|now))*"
)
_THIS = r"(?:that|this|it|the)"
_ONE = r"(?:one|session|conversation|chat|thread|record|it)"

_IDENTIFY = _whole(
    rf"(?:{_YES}[\s,.!]+)*(?:that|this|it)(?:'s| is| was) (?:it|the (?:right |very )?{_ONE}|exactly (?:it|the one)|right)"
    rf"{_TAIL}",
    rf"(?:{_YES}[\s,.!]+)*(?:that|this|the) (?:right )?{_ONE}{_TAIL}",
    rf"{_YES}(?:[\s,.!]+{_YES})*{_TAIL}",
    rf"(?:{_YES}[\s,.!]+)*(?:found|got) it{_TAIL}",
    rf"(?:{_YES}[\s,.!]+)*(?:i )?recogni[sz]e (?:it|that|this){_TAIL}",
    rf"(?:{_YES}[\s,.!]+)*(?:please )?(?:resume|continue|reopen|pick up|go on with|carry on with|go back to)"
    rf" (?:it|this|that|(?:this|that|the) {_ONE}|there|where (?:we|i) left off)(?: again)?{_TAIL}",
    rf"(?:{_YES}[\s,.!]+)*(?:please )?(?:resume|continue)",
    rf"(?:{_YES}[\s,.!]+)*(?:let's|lets|let us) (?:resume|continue|go on|carry on)(?: (?:with )?(?:it|this|that|from there))?",
    r"(?:ja[\s,.!]+)?(?:genau(?: das| die| der)?|das ist (?:es|sie|er|die richtige)|das war(?:'s| es| sie)|das ist die sitzung)",
    r"(?:oui[\s,.!]+)?(?:c'est (?:ça|cela|celle-là|celui-là|bien (?:ça|elle|lui)|la bonne)|exactement)",
    r"(?:s[ií][\s,.!]+)?(?:es es[oea]|es[oea] es|exacto|exactamente)",
    r"(?:sim[\s,.!]+)?(?:é (?:isso|essa|esse)|isso mesmo|é essa mesma|exato)",
    r"(?:はい[、。]?)?(?:それです|それだ|これです|これだ|それそれ|そうそう)。?",
    r"(?:네[,. ]*)?(?:그거(?:예요|야|입니다)?|바로 그거(?:예요|야)?|맞아요?|이거(?:예요|야))",
    r"(?:对[,，。 ]*)?(?:就是(?:这个|它|那个)|没错|对的|是这个)。?",
    *tongues.IDENTIFY,
)
_HEARD = _whole(r"(?:ok|okay|great|cool|thanks|thank you|thx)(?:[\s,.!]+(?:ok|okay|great|cool|thanks|thank you|thx))*")
"""What says that a story was heard, not that it is the one."""
_ONLY_AFTER_PRESENT = _whole(r"ja", r"oui", r"s[ií]", r"sim", r"はい", r"네", r"对", r"是")

_STOP = _whole(
    r"(?:(?:ok|okay|no|well|thanks)[\s,.!]+)*(?:stop(?: here| it| now| searching| looking)?|never ?mind|nevermind|nvm|forget it|"
    r"forget about it|cancel|abort|quit|exit|bye|give up|i give up|leave it|drop it|enough|that'?s enough|let'?s (?:stop|leave it)"
    r"(?: here)?|let it go|stop here|no more|done for now|that'?s all|not important)(?: thanks| thank you| please)?",
    r"(?:stopp|abbrechen|vergiss es|lass gut sein|schluss|hör auf)",
    r"(?:arrête|arrêter|laisse tomber|annuler|stop)",
    r"(?:para|parar|déjalo|olvídalo|cancelar|basta)",
    r"(?:pare|deixa(?: pra lá)?|esquece|cancelar|chega)",
    r"(?:やめて?|中止|もういい(?:です)?|ストップ|停止|算了|不用了|그만|됐어요?|취소)。?",
)
_ACCEPT = _whole(
    rf"(?:{_YES}[\s,.!]+)*(?:please |do |go |then )*(?:search|scan|look|go) (?:wider|further|deeper|everything|everywhere|"
    r"(?:the )?(?:whole )?(?:bodies|records|archive)|it all|all(?: of it)?)(?: please)?",
    r"(?:do a |run a |the )?(?:wider|deeper|full) (?:search|scan)(?: please)?",
    tongues.WIDER,
)
_ASSENT = _whole(
    rf"{_YES}(?:[\s,.!]+{_YES})*(?:[\s,.!]+(?:please|do|go ahead|do it|do that))*",
    r"(?:yes |please |ok )*(?:do it|do that|go ahead|go for it|please do|sure|why not|of course|please|go|y|run it|try(?: it| that)?)"
    r"(?: please)?",
    r"ja(?: bitte)?|oui|s[ií]|sim|はい|お願いします|네|好|好的|mach das|vas-y|adelante",
)
_REFUSE = _whole(
    r"no(?:pe|t now| thanks| thank you)?(?:[\s,.!]+(?:thanks|thank you|don'?t|stop here))*",
    r"don'?t|rather not|nein(?: danke)?|non(?: merci)?|não|いいえ|아니요?|不|不用",
)
_NOT_THIS = (
    r"(?:no+[\s,.!]+)?(?:that|this|it)(?:'s| is| was)(?: not|n'?t) (?:it|the (?:right )?one|right|that one|what i mean(?:t)?)|"
    r"(?:no+[\s,.!]+)?(?:that|this|it) (?:wasn'?t|isn'?t) (?:it|the (?:right )?one|right|that one)|"
    r"(?:no+[\s,.!]+)?not (?:that one|this one|that|this|it)(?: session| conversation)?|"
    r"(?:no+[\s,.!]+)?(?:wrong|another|(?:a |some )?different|the next) (?:one|session|conversation)|something else|"
    + tongues.NOT_THIS
)
_NO = r"(?:no+|nope|nah|hm+|well|sorry|wrong|nein|non|next|another)(?:[\s,.!]+(?:no|nope|sorry))*"
_STOPPED = r"(?=$|[,;:!](?:\s|$)|\.+(?:\s|$)|\s+[-–—]|[、。，])"
_REJECT = Pattern(rf"^(?:(?:{_NOT_THIS})(?=$|[\s,.;:!、。，])|(?:{_NO}){_STOPPED})", re.IGNORECASE)
_LEAD = r"^(?:(?:no|nope|it was|i mean|go|the one|one)[\s,.]+)*(?:(?:a (?:bit|little)|much|even|way|further) )?"
_BEFORE = Pattern(
    rf"{_LEAD}(?:(?:an |the )?(?:earlier|older|previous) (?:one|session|conversation)(?=$|[\s,.;:!])|"
    r"(?:earlier(?: than (?:that|this))?|before (?:that|this|it)|the one (?:just )?before(?: (?:that|this|it))?|older|previous(?:ly)?|"
    rf"{tongues.BEFORE}){_STOPPED})",
    re.IGNORECASE,
)
_AFTER = Pattern(
    rf"{_LEAD}(?:(?:a |the )?(?:later|newer|more recent) (?:one|session|conversation)(?=$|[\s,.;:!])|"
    r"(?:later(?: than (?:that|this))?|after (?:that|this|it)|the one (?:just )?after(?: (?:that|this|it))?|newer|more recent(?:ly)?|"
    rf"afterwards|{tongues.AFTER}){_STOPPED})",
    re.IGNORECASE,
)
_PROJECT = Pattern(
    r"\b(?:the|a|in the|in a|it was (?:in )?(?:the|a)) (?:other|different|another) (?:project|repo|repository|folder)\b|"
    r"\banother (?:project|repo|repository)\b|\bnot (?:in )?(?:this|that) (?:project|repo|repository)\b|"
    + tongues.OTHER_PROJECT,
    re.IGNORECASE,
)
_AGENTS = "|".join(sorted((word.replace("-", "[ -]") for word in AGENT_WORDS if word != "cc"), key=len, reverse=True))
_RUNTIME = Pattern(
    r"\b(?:it was|that was|was|i (?:used|did it)|we (?:used|did it)|the one|the session)\s+(?:in|with|on|using|from)?\s*"
    rf"(?P<runtime>{_AGENTS})\b|^in (?P<bare>{_AGENTS})\b"
    rf"|\bthe (?P<the>{_AGENTS}) one\b|(?:^|(?<=[\s,.、，]))(?:{tongues.RUNTIME_BEFORE})\s*(?P<said>{_AGENTS})(?![A-Za-z])(?:{tongues.RUNTIME_BEHIND})?"
    rf"|(?<![A-Za-z])(?P<behind>{_AGENTS})\s?(?:{tongues.RUNTIME_BEHIND})",
    re.IGNORECASE,
)
_OTHER_RUNTIME = Pattern(r"\b(?:the )?other (?:agent|tool|runtime|assistant)\b|" + tongues.OTHER_RUNTIME, re.IGNORECASE)
_NARROW_ELSEWHERE = Pattern(tongues.NARROW, re.IGNORECASE | re.DOTALL)
_NARROW = Pattern(
    r"^(?:(?:yes|ok|but)[\s,.]+)*(?:just|only) (?:the )?(?:part|bit|section|place|piece)s? (?:about|on|where|with|when|of)\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_PICK = Pattern(
    r"^(?:no[\s,.]+)?(?:show(?: me)?|open|try|tell me(?: about)?|what about|take|rather)?\s*(?:the )?(?:(?P<word>first|second|third|"
    r"fourth|fifth|sixth|last)|(?:number |no\.? |#)?(?P<number>\d{1,2})(?:st|nd|rd|th)?)(?: one| candidate)?" + _END,
    re.IGNORECASE,
)
_PICK_ELSEWHERE = Pattern(r"^(?:" + tongues.PICK + r")" + _END, re.IGNORECASE)
_BACK = Pattern(
    r"^(?:no[\s,.]+)?(?:go |take me )?back to (?:the )?(?P<which>first|previous|last|earlier|other)(?: one)?" + _END,
    re.IGNORECASE,
)
_WHOLE = Pattern(
    r"^(?:no[\s,.]+)?(?:(?:show|tell) me\s+|give me\s+|rather\s+)?(?:just |only )?(?:the |that )?(?:(?P<line>(?:whole|entire|full) (?:line(?: of work)?|story|history|"
    rf"course|thing)|line(?: of work)?|{tongues.LINE})|(?P<topic>{tongues.TOPIC}|(?:whole )?topic|all (?:the )?(?:discussions|conversations|sessions|talks)(?: (?:about|on) it)?)|"
    rf"(?P<concept>{tongues.CONCEPT}|(?:settled )?(?:concept|rule|decision)|what we settled(?: on)?)|(?P<session>{tongues.SESSION}|(?:one |single )?(?:session|conversation)(?: only| alone)?))"
    r"(?: instead| please)?" + _END,
    re.IGNORECASE,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "last": -1}
_NOTHING = _whole(
    r"(?:i )?(?:don'?t|do not|can'?t) (?:know|remember|recall)(?: anything)?(?: else| more| any more)?",
    r"(?:no idea|not sure|nothing(?: else| more)?|dunno|hm+|uh+|that'?s all i (?:know|remember)|\?+|\.+)",
    tongues.NOTHING,
)


_STEERS = (Act.CORRECT, Act.BACK, Act.WHOLE)
"""What still moves the search where a correction led to nothing: it is relative to the story that was told last."""


def read_answer(text: str, *, presented: bool, offered: bool, told: bool = False) -> Answer:
    """Read a person's turn. `presented`: a story stands before them; `offered`: a wider search does; `told`: none stands,
    but one was told before."""
    said = re.sub(r"[’‘`´]", "'", text).strip()
    if not re.search(r"\w", said):
        return Answer(Act.EMPTY)
    if _STOP.match(said):
        return Answer(Act.STOP)
    if _ACCEPT.match(said):
        return Answer(Act.ACCEPT)
    if offered and not presented:
        if _ASSENT.match(said):
            return Answer(Act.ACCEPT)
        if _REFUSE.match(said):
            return Answer(Act.DECLINE)
    if _NOTHING.match(said):
        return Answer(Act.EMPTY)
    if presented:
        return _relative(said, text.strip())
    steered = _relative(said, text.strip())
    if steered.act in _STEERS and (told or steered.runtime):
        return steered
    if told and steered.act is Act.IDENTIFY:
        return Answer(Act.BACK)  # which one? the one told last is shown again, and the next word closes
    return Answer(Act.CUE, cue=text.strip())


def _relative(said: str, text: str) -> Answer:
    """Read a turn relative to the story that stands before the person."""
    if _HEARD.match(said):
        return Answer(Act.EMPTY)
    if not said.endswith("?") and (_IDENTIFY.match(said) or _ONLY_AFTER_PRESENT.match(said)):
        return Answer(Act.IDENTIFY)
    if whole := _WHOLE.match(said):
        return Answer(Act.WHOLE, whole=next(kind for kind, words in whole.groupdict().items() if words))
    if back := _BACK.match(said):
        return Answer(Act.BACK, ordinal=1 if back["which"].lower() == "first" else -1)
    if pick := _PICK.match(said):
        return Answer(Act.PICK, ordinal=int(pick["number"]) if pick["number"] else _ORDINALS[pick["word"].lower()])
    if picked := _PICK_ELSEWHERE.match(said):
        return Answer(Act.PICK, ordinal=_place(next(word for word in picked.groupdict().values() if word)))
    if narrow := _NARROW.match(said):
        return Answer(
            Act.NARROW, cue=text[len(text) - len(narrow["rest"]) :] if narrow["rest"] in text else narrow["rest"]
        )
    if elsewhere := _NARROW_ELSEWHERE.match(said):
        return Answer(Act.NARROW, cue=next(part for part in elsewhere.groupdict().values() if part))
    return _correction(said, text)


def _place(word: str) -> int:
    """The place that a word of another language names."""
    low = word.lower()
    return next((place for begins, place in tongues.PLACES if low.startswith(tuple(begins.split()))), 0)


def _correction(said: str, text: str) -> Answer:
    rest, rejected, direction = said, False, 0
    if match := _REJECT.match(rest):
        rejected, rest = True, rest[match.end() :].lstrip(" ,.;:!—–-、。，")
    for pattern, way in ((_BEFORE, -1), (_AFTER, 1)):
        if match := pattern.match(rest):
            rejected, direction, rest = True, way, rest[match.end() :].lstrip(" ,.;:!—–-")
            break
    runtime = ""
    if match := _RUNTIME.search(rest):
        named = next(name for name in match.groupdict().values() if name).lower()
        runtime = AGENT_WORDS[named.replace(" ", "-")]
        rest, rejected = (rest[: match.start()] + " " + rest[match.end() :]).strip(" ,.;:!—–-"), True
    other_project = bool(_PROJECT.search(rest))
    if other_project:
        rest, rejected = _PROJECT.sub(" ", rest).strip(" ,.;:!—–-"), True
    other_runtime = bool(_OTHER_RUNTIME.search(rest))
    if other_runtime:
        rest, rejected = _OTHER_RUNTIME.sub(" ", rest).strip(" ,.;:!—–-"), True
    rest = re.sub(r"^(?:it was|the one|one|but|and|maybe)(?=$|\s)\s*", "", rest, flags=re.IGNORECASE)
    rest = rest if re.search(r"\w", rest) else ""
    if not rejected:
        return Answer(Act.CUE, cue=text)
    return Answer(
        Act.CORRECT,
        cue=rest,
        direction=direction,
        runtime=runtime,
        other_project=other_project,
        other_runtime=other_runtime,
    )
