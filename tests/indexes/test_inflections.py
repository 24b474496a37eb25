"""Words of other languages are found in the form that a person remembers, not only in the one that was written."""

from __future__ import annotations

import pytest

from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import ids, query
from tests.indexes.fake_archive import Records


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Die Beschriftung der Achse fehlt", "wo haben wir die Beschriftungen geändert"),
        ("alle Beschriftungen fehlen", "was war mit der Beschriftung"),
        ("die Fehlermeldungen sind zu lang", "wie war das mit der Fehlermeldung"),
        ("ajouter une étiquette au bouton", "où sont les étiquettes que nous avons ajoutées"),
        ("un réglage régional", "pour les réglages régionaux de la page"),
        ("la etiqueta del botón", "dónde están las etiquetas de los botones"),
        ("hay que corregir el encabezado", "lo que corregimos en los encabezados"),
        ("o botão de enviar some", "por que os botões de envio não funcionam"),
        ("as traduções faltam", "onde está a tradução que fizemos para ele"),
    ],
)
def test_another_form_of_the_word_is_found(index: WhooshIndex, records: Records, said: str, asked: str) -> None:
    records.write("right", said)
    records.write("wrong", "something about parsers and their warnings")
    index.refresh()
    assert ids(index, asked) == ["right"]


def test_a_lone_word_whose_language_nobody_tells(index: WhooshIndex, records: Records) -> None:
    records.write("right", "die Beschriftung der Achse")
    index.refresh()
    assert ids(index, "Beschriftungen") == ["right"]


def test_two_forms_of_one_word_are_one_word(index: WhooshIndex, records: Records) -> None:
    """A record that holds one form fits as well as one that holds both."""
    records.write("both", "die Tabelle und andere Tabellen wurden gelöscht")
    records.write("one", "die Tabelle wurde gelöscht")
    index.refresh()
    assert [hit.fit for hit in index.search(query("wann wurden die Tabellen gelöscht"))] == [1.0, 1.0]


def test_a_word_that_begins_alike_is_another(index: WhooshIndex, records: Records) -> None:
    records.write("other", "Beschriftungsverfahren und Tabellenkalkulation")
    index.refresh()
    assert ids(index, "wo sind die Beschriftungen und die Tabellen") == []


def test_an_english_cue_is_left_to_the_english_rules(index: WhooshIndex, records: Records) -> None:
    """`porte` would be a form of `porter` in French; nothing tells that this cue is."""
    records.write("door", "porte")
    records.write("porter", "the porter opened")
    index.refresh()
    assert ids(index, "the porter") == ["porter"]
