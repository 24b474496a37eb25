"""How people ask for a whole and name a speaker, in eight languages. Our own tables; the reading is `core.recall.cue`'s."""

from __future__ import annotations

import re

from core.patterns import Pattern
from core.recall.model import WholeKind
from core.recall.needles import is_common
from core.records.model import Origin

_I = re.IGNORECASE

_CONCEPT = (
    r"\bwhat (?:did )?we settle[d]? on\b|\bwhat we agreed\b"
    r"|\bthe (?:rule|principle|convention|term|name) we (?:coined|settled|agreed|made)\b"
    r"|\bworauf wir uns geeinigt\b|\bwas wir (?:festgelegt|vereinbart|beschlossen)\b"
    r"|\bdie (?:regel|konvention|vereinbarung|abmachung),? die wir\b"
    r"|\bce (?:qu['’]on a|que nous avons) (?:décidé|convenu|retenu)\b"
    r"|\bla (?:règle|convention) (?:qu['’]on a|que nous avons)\b"
    r"|\b(?:lo|en lo) que (?:acordamos|decidimos|quedamos)\b|\bla (?:regla|convención) que (?:acordamos|inventamos|decidimos)\b"
    r"|\bo que (?:combinamos|decidimos|acordamos)\b|\ba (?:regra|convenção) que (?:combinamos|criamos|decidimos)\b"
    r"|(?:決めた|決まった|合意した)(?:ルール|こと|方針|規則|名前)|우리가 (?:정한|합의한)|정하기로 한|我们(?:最后|最终)?(?:定下|约定|决定|商定)的?"
)
_LINE = (
    r"\b(?:everything we did|everything (?=(?:about|on|around|to do with)\b)|all the work|the whole (?:line|story|history)|how .{2,60} came about|the history of|from start to end)\b"
    r"|\balles,? was wir\b|\bdie ganze (?:geschichte|arbeit)\b|\bwie es (?:zu|dazu) .{0,60}kam\b|\bwie .{2,60} (?:entstanden ist|entstand|zustande kam)\b"
    r"|\btout ce (?:qu['’]on a|que nous avons) fait\b|\btoute l['’]histoire\b|\bcomment .{2,60} (?:est né|est née|a vu le jour)\b"
    r"|\btodo lo que (?:hicimos|trabajamos)\b|\btoda la historia\b|\bcómo (?:surgió|nació)\b"
    r"|\btudo (?:o )?que fizemos\b|\btoda a história\b|\bcomo (?:surgiu|nasceu)\b"
    r"|やったこと(?:全部|すべて|全て)|(?:全部|すべて)の?(?:作業|経緯)|の経緯|우리가 한 (?:모든|전부)|(?:한|했던) 일 전부|전체 과정|我们做(?:过)?的(?:所有|全部)|(?:整个|全部)(?:过程|经过)|的来龙去脉"
)
_TOPIC = (
    r"\bthe .{2,40} (?:discussions|talks|conversations|debates)\b|\ball the times we\b"
    r"|\b(?:die|unsere|alle) .{0,40}(?:diskussionen|gespräche|debatten)\b|\bjedes mal,? (?:als|wenn) wir\b"
    r"|\b(?:les|nos|toutes les) (?:discussions|conversations|débats)\b|\btoutes les fois où\b"
    r"|\b(?:las|nuestras|todas las) (?:discusiones|conversaciones)\b|\btodas las veces que\b"
    r"|\b(?:as|nossas|todas as) (?:discussões|conversas)\b|\btodas as vezes que\b"
    r"|についての(?:議論|話し合い|会話)|에 (?:대한|관한) (?:논의|대화|토론)들?|关于.{1,30}的(?:讨论|对话|争论)"
)
_SESSION = (
    r"\bth(?:at|e) (?:one )?(?:session|conversation|chat)\b|\b(?:die|das) (?:eine )?(?:sitzung|gespräch)\b"
    r"|\b(?:cette|la) (?:session|conversation)\b|\b(?:esa|la) (?:sesión|conversación)\b|\b(?:essa|a) (?:sessão|conversa)\b"
    r"|(?:あの|その)(?:会話|セッション)|그 (?:대화|세션)|那(?:次|个)(?:对话|会话)"
)
WHOLES: tuple[tuple[WholeKind, Pattern], ...] = (
    (WholeKind.CONCEPT, Pattern(_CONCEPT, _I, several=True)),
    (WholeKind.LINE, Pattern(_LINE, _I, several=True)),
    (WholeKind.TOPIC, Pattern(_TOPIC, _I, several=True)),
    (WholeKind.SESSION, Pattern(_SESSION, _I, several=True)),
)
"""What a cue asks for; the first that matches decides."""

_AGENT = r"(?:you|it|claude|codex|gemini|copilot|the (?:assistant|agent|model|ai|bot))"
_PERSON_SAID = Pattern(
    r"\b(?:i|we) (?:said|asked|told|typed|wrote|wanted|suggested|proposed|complained|insisted|argued|mentioned|requested)\b|\bmy (?:question|prompt)\b"
    r"|\b(?:ich|wir) (?:sagte|sagten|fragte|schrieb|wollte|wollten|bestand)\b|\b(?:ich|wir) (?:habe|haben|hatte|hatten) .{0,60}\b(?:gesagt|gefragt|geschrieben|verlangt|vorgeschlagen|bestanden)\b"
    r"|\b(?:j['’]ai|nous avons|on a) (?:dit|demandé|écrit|proposé|insisté|exigé)\b|\bje voulais\b"
    r"|\b(?:yo )?(?:dije|pregunté|pedí|escribí|propuse|insistí|quería)\b"
    r"|\b(?:eu )?(?:disse|perguntei|pedi|escrevi|propus|insisti)\b|\beu queria\b"
    r"|(?:私|僕|俺|自分)が(?:言|頼|聞|書|提案)|(?:내가|제가) .{0,12}(?:말|물|부탁|요청|제안)|我(?:说|问|要求|提议|写|坚持)",
    _I,
    words=frozenset(["dije", "propuse", "disse", "perguntei", "pedi", "escrevi", "propus", "insisti"]),
)
_ASSISTANT_SAID = Pattern(
    rf"\b{_AGENT} (?:said|suggested|proposed|answered|replied|recommended|explained|told me|claimed|insisted|wrote|offered)\b"
    r"|\b(?:du|claude|codex|gemini|copilot|der assistent) (?:(?:sagtest|sagte|schlugst|schlug|meintest|meinte|antwortete|empfahl)\b"
    r"|(?:hast|hat) .{0,60}\b(?:vorgeschlagen|gesagt|empfohlen|geantwortet|erklärt)\b)"
    r"|\b(?:tu as|il a|elle a|claude a|codex a|l['’]assistant a) (?:proposé|suggéré|dit|répondu|recommandé|expliqué)\b"
    r"|\b(?:tú|el asistente|claude|codex|gemini) (?:dijiste|dijo|propusiste|propuso|sugeriste|sugirió|recomendaste|recomendó)\b|\b(?:me )?(?:sugeriste|propusiste|recomendaste|dijiste)\b"
    r"|\b(?:você|o assistente|claude|codex|gemini) (?:disse|sugeriu|propôs|recomendou|respondeu)\b"
    r"|(?:あなた|君|アシスタント|Claude|Codex)が(?:言|提案|勧|答)|(?:네가|당신이|어시스턴트가) .{0,12}(?:말|제안|추천|답)|(?:你|助手|它)(?:说|建议|提议|推荐|回答)",
    _I,
    words=frozenset(["sugeriste", "propusiste", "recomendaste", "dijiste"]),
)


_TALKED = Pattern(
    r"\b(?:we|i|you|they)(?: (?:had|have|were|was|once|all|both|also|just|kept|then)){0,2} "
    r"(?P<en>argu(?:ed|ing)|talk(?:ed|ing)|discuss(?:ed|ing)|debat(?:ed|ing)|spoke|spoken|chatt(?:ed|ing)|fought|disagreed|went back and forth)\b"
    r"|\b(?P<de>gestritten|diskutiert|geredet|gesprochen|debattiert)(?= (?:haben|hatten|hatte|habe)\b)"
    r"|\b(?:wir|ich) (?P<de2>stritten|diskutierten|redeten|sprachen|debattierten)\b"
    r"|\b(?:on|nous|j['’])(?: (?:a|avons|avait|avions|ai|en))* ?(?P<fr>discuté|parlé|débattu|disputé)s?\b"
    r"|\b(?P<es>discutimos|hablamos|debatimos|peleamos|falamos|conversamos|brigamos)\b",
    _I,
    words=frozenset(
        [
            "gestritten",
            "diskutiert",
            "geredet",
            "gesprochen",
            "debattiert",
            "discutimos",
            "hablamos",
            "debatimos",
            "peleamos",
            "falamos",
            "conversamos",
            "brigamos",
        ]
    ),
)


_TALKS = Pattern(
    r"\b(?:discussions|talks|conversations|debates)\b|\b(?:diskussionen|gespräche|debatten)\b|\b(?:débats)\b"
    r"|\b(?:discusiones|conversaciones|discussões|conversas)\b|(?:議論|話し合い|会話)|(?:논의|대화|토론)|(?:讨论|对话|争论)",
    _I,
)
"""What a topic is asked for by; the records of it seldom say so of themselves."""


def talk_words(sentence: str) -> tuple[tuple[int, int], ...]:
    """Where a cue only says that there was talk ("we argued over", "we talked about"): from and to which character."""
    found = [next(m.span(g) for g in m.groupdict() if m.span(g)[0] >= 0) for m in _TALKED.finditer(sentence)]
    if WHOLES[2][1].search(sentence):
        found.extend(m.span() for m in _TALKS.finditer(sentence))
    return tuple(found)


_TOLD_OF_WORDS = (
    "history story came work whole line start end alles was wir die ganze geschichte arbeit wie dazu kam entstanden entstand "
    "zustande tout toute nous avons fait histoire comment todo toda hicimos trabajamos historia cómo surgió nació tudo fizemos "
    "história como surgiu nasceu"
)
_TOLD_OF = frozenset(_TOLD_OF_WORDS.split())
"""Words by which a line of work is asked for, beside those that stand in texts about anything."""


def asking_words(sentence: str) -> tuple[tuple[int, int], ...]:
    """Where a cue only asks for a whole ("everything we did on", "what we settled on for"): from and to which character.
    What stands between its words ("how X came about") is what it is about."""
    found = [match.span() for match in WHOLES[0][1].finditer(sentence)]
    for match in WHOLES[1][1].finditer(sentence):
        words = [
            w for w in re.finditer(r"[^\W_]+", match.group()) if is_common(w.group()) or w.group().lower() in _TOLD_OF
        ]
        found.extend((match.start() + w.start(), match.start() + w.end()) for w in words)
    return tuple(found)


def speaker_named(sentence: str) -> Origin | None:
    """Whose words a cue is about; `None` if it names nobody, or both."""
    person, assistant = bool(_PERSON_SAID.search(sentence)), bool(_ASSISTANT_SAID.search(sentence))
    if person == assistant:
        return None
    return Origin.PERSON if person else Origin.ASSISTANT


def without_the_asking(sentence: str) -> str:
    """A cue without the words that ask for something settled: what is left says what it was about."""
    return WHOLES[0][1].sub(" ", sentence)


def whole_asked(texts: tuple[str, ...]) -> WholeKind:
    """What the newest of the texts that names a whole asks for; a session otherwise."""
    for text in reversed(texts):
        for kind, pattern in WHOLES:
            if pattern.search(text):
                return kind
    return WholeKind.SESSION
