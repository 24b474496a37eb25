"""A word that one session coined weighs more there than where it is mentioned."""

from __future__ import annotations

from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import ids
from tests.indexes.fake_archive import Records

FILLER = "the build and the release took a while and nobody minded the wait for the answer of the service"


def coined(index: WhooshIndex, records: Records) -> WhooshIndex:
    said = [f"let us call it the driftwall then, {FILLER}", f"the driftwall stops what has drifted, {FILLER}"]
    records.write("forged", *said * 3, *[FILLER] * 8)
    records.write("mentions", "the driftwall again")
    for number in range(6):
        records.write(f"other{number}", FILLER, f"{FILLER} {number}")
    index.refresh()
    return index


def test_the_session_that_coined_it_stands_above_one_that_mentions_it(index: WhooshIndex, records: Records) -> None:
    assert ids(coined(index, records), "driftwall") == ["forged", "mentions"]
    assert ids(index, "the driftwall we coined")[0] == "forged"


def test_a_word_that_many_say_often_is_nobodys(index: WhooshIndex, records: Records) -> None:
    """Said as often, but elsewhere too: the short session that is about it stays first."""
    coined(index, records)
    for number in range(4):
        records.write(f"later{number}", *[f"the driftwall and {FILLER}"] * 6)
    index.refresh()
    assert ids(index, "driftwall")[0] == "mentions"
