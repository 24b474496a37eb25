"""Words that carry nothing in a cue written in another language than English, and in which language a cue is written.

The lists are our own: articles, prepositions, pronouns, question words and the auxiliaries that a vague memory is full
of, as people type them. A word such as "die" or "on" means something in an English cue, so a list is used only where the
cue holds several of its words, and more of them than of the English ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType

_LISTS = {
    "german": """
der die das den dem des ein eine einen einem einer eines und oder aber wenn weil dass ob als wie wo was wer wen wem wann
warum wieso weshalb welche welcher welches welchen ich du er sie es wir ihr mich mir dich dir uns euch ihn ihm ihnen sich
mein meine meinen meiner dein deine unser unsere sein seine ihre seinen in im ins an am ans auf aus bei beim mit nach von
vom vor zu zum zur bis durch fuer für gegen ohne um ueber über unter zwischen hinter neben seit ist sind war waren bin bist
habe hat haben hatte hatten hast wird werden wurde wurden worden kann koennen können konnte konnten soll sollte sollten
will wollte wollten muss musste müssen darf durfte nicht kein keine keinen auch nur noch schon so da dort hier dann denn
doch mal immer wieder sehr mehr etwas alles alle man diese dieser dieses diesen jene jener damit dazu daran darum davon
""",
    "french": """
le la les l un une des du de d au aux et ou mais si car que qu qui quoi dont où quand comment pourquoi quel quelle quels
quelles je j tu il elle on nous vous ils elles me m te t se s lui leur moi toi soi mon ma mes ton ta tes son sa ses notre
nos votre vos leurs ce cet cette ces c cela ça ceci en y dans sur sous par pour avec sans chez vers entre depuis pendant
est sont était étaient été être suis es sommes êtes ai as a avons avez ont avait avaient eu avoir fait faire faut peut
pouvait pas ne n plus rien jamais tout tous toute toutes très trop aussi encore déjà alors donc puis même là ici
""",
    "spanish": """
el la los las lo un una unos unas y e o u pero si porque que qué quien quién cual cuál cuando cuándo como cómo donde dónde
por para con sin de del al a en entre sobre desde hasta hacia según yo tú él ella ello nosotros vosotros ellos ellas me te
se nos os le les mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta esto estos estas ese esa eso esos esas
aquel aquella aquello es son era eran fue fueron ser está están estaba estaban estar he ha han había habían hay haber
hacer hizo hace no ni sí ya más muy también tampoco todo toda todos todas algo alguien nada nadie cada otro otra
""",
    "portuguese": """
o a os as um uma uns umas e ou mas se porque que quê quem qual quais quando como onde por para com sem de do da dos das
em no na nos nas num numa ao aos à às pelo pela pelos pelas entre sobre desde até eu tu ele ela nós vós eles elas você
vocês me te se lhe lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos nossas este esta isto estes
estas esse essa isso esses essas aquele aquela aquilo é são era eram foi foram ser está estão estava estavam estar tem têm
tinha tinham ter há havia fazer fez não nem sim já mais muito também tudo todo toda todos todas algo alguém nada
""",
    "italian": """
il lo la i gli le l un uno una e ed o ma se perché che chi cosa quale quali quando come dove di del dello della dei degli
delle a al allo alla ai agli alle da dal dallo dalla dai dalle in nel nello nella nei nelle su sul sulla sui con per tra
fra senza io tu lui lei noi voi loro mi ti si ci vi me te mio mia miei mie tuo tua suo sua suoi sue nostro nostra questo
questa questi queste quello quella quelli quelle è sono era erano sia essere stato stata ho hai ha abbiamo avete hanno
aveva avevano avere fare fatto non né sì già più molto anche tutto tutti tutta tutte qualcosa niente ogni altro altra
""",
    "dutch": """
de het een en of maar als omdat dat die dit deze wat wie waar wanneer waarom hoe welke ik jij je u hij zij ze wij we jullie
mij me hem haar ons onze mijn jouw zijn hun in op aan van voor met naar bij uit over onder tussen tegen door zonder om tot
te is was waren ben bent heb heeft hebben had hadden word wordt worden werd werden kan kunnen kon konden moet moeten wil
wilde niet geen ook nog al zo er daar hier dan toen toch wel weer heel meer iets alles alle men
""",
}


def foreign_stops(words: Sequence[str], english: Collection[str]) -> frozenset[str]:
    """The words that carry nothing in the language of these words (case folded); none where it seems to be English."""
    return stops_of(language_of(words, english))


def stops_of(language: str) -> frozenset[str]:
    """The words that carry nothing in a language; none for one that is not known here."""
    return _stops().get(language, frozenset())


def language_of(words: Sequence[str], english: Collection[str]) -> str:
    """The language that these words (case folded) are told to be in; `""` where it seems to be English or none is told.

    The language with the most stop words wins if it has at least two and more than English has.
    """
    distinct = set(words)
    counted = {language: len(distinct & stops) for language, stops in _stops().items()}
    best = max(counted, key=lambda language: counted[language])
    if counted[best] < 2 or counted[best] <= sum(word in english for word in distinct):
        return ""
    return best


@cache
def _stops() -> Mapping[str, frozenset[str]]:
    return MappingProxyType({language: frozenset(text.split()) for language, text in _LISTS.items()})
