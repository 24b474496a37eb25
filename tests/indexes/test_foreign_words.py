"""Which words of a cue carry nothing, in languages other than English."""

from __future__ import annotations

import pytest

from indexes.foreign_words import foreign_stops
from indexes.whoosh_index import WhooshIndex
from indexes.words import stop_words
from tests.indexes.asking import ids
from tests.indexes.fake_archive import Records


@pytest.mark.parametrize(
    ("cue", "dropped", "kept"),
    [
        (
            "wo haben wir die Sperre beim Speichern gelöst",
            {"wo", "haben", "wir", "die", "beim"},
            {"sperre", "speichern"},
        ),
        ("pourquoi le cache était vide après la mise à jour", {"pourquoi", "le", "était", "la"}, {"cache", "vide"}),
        ("por qué se cayó el servidor de pagos", {"por", "qué", "se", "el", "de"}, {"servidor", "pagos"}),
        ("onde foi que mudamos a cor do botão", {"onde", "foi", "que", "a", "do"}, {"cor", "botão"}),
        ("perché il modulo non si carica", {"perché", "il", "non", "si"}, {"modulo", "carica"}),
        ("waarom is het scherm zo traag", {"waarom", "het", "zo"}, {"scherm", "traag"}),
    ],
)
def test_function_words_of_a_language_carry_nothing(cue: str, dropped: set[str], kept: set[str]) -> None:
    stops = foreign_stops(cue.casefold().split(), stop_words())
    assert dropped <= stops
    assert not kept & stops


@pytest.mark.parametrize("cue", ["the process should die on a signal", "die", "die on the war path", "retry the queue"])
def test_an_english_cue_keeps_its_words(cue: str) -> None:
    assert foreign_stops(cue.split(), stop_words()) == frozenset()


def test_a_foreign_article_does_not_decide(index: WhooshIndex, records: Records) -> None:
    records.write("chatter", "por la de que el la de por el que se un para con")
    records.write("servidor", "el servidor dejó de responder anoche, mucho más texto sobre otras cosas de la red")
    index.refresh()
    assert ids(index, "por qué se cayó el servidor de la red")[0] == "servidor"
