"""Every constant of the ranking, and where it comes from.

Chosen on the development data as docs/ranking.md tells: LoCoMo conversations 1 to 5, vague cues over 110 real coding
sessions, and made-up sessions in eight languages that nothing was fitted on. Nothing here is sharp, and nothing is tuned to
a single query.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.records.model import Role

K1 = 1.2
"""BM25 saturation, the usual value; flat between 0.8 and 2.0 on LoCoMo."""
B_SESSION = 0.85
"""Length normalisation of whole sessions, so that marathon sessions do not hold everything."""
B_WINDOW = 0.65
B_TURN = 0.75

SESSION = 0.55
"""Share of the whole session's BM25, divided by the best candidate's. Flat between 0.4 and 0.7 on both sets."""
WINDOW = 0.45
"""Share of the best three neighbouring turns. LoCoMo prefers a little less, vague cues over coding sessions more."""
TITLE = 0.15
"""Share of the title."""
PLACE = 0.10
"""Share of the working directory, branch, agent and session id."""
DATE = 0.3
"""Share of date words ("the Sunday in early February") that the session's date fulfils."""
TIME = 0.3
"""Share of a soft time window."""

IDENTIFIER_WHOLE = 2.0
"""A name, path or number matched as a whole."""
IDENTIFIER_PART = 0.35
"""One part of a name that was asked for as a whole."""
GRAM = 0.6
"""One bigram of a run of Han, kana, Thai or Hangul."""
MISSPELT = 0.6
"""A word that was read for one that no record holds."""
INFLECTED = 0.9
"""A turn that holds another form of the word, in a language whose endings the index does not know."""
PREFIX = 0.8
"""One expansion of a word that is still being typed."""
PREFIX_LIMIT = 64
"""Most expansions."""
COINED = 0.8
"""Added to what a coined term counts in the session that coined it, at most: as a share of what it counts. From 0 to 1
no figure of the development data moves by more than one cue in 760; the constant lets a coiner pass a short mention."""
COINED_TIMES = 3
"""Times that a session says a coined term at least."""
COINED_RATIO = 2.0
"""Times in the session, divided by one and the times elsewhere, from which a term is coined there."""
OTHER_SPEAKER = 0.5
"""What others said, when the cue names the speaker."""

SUBAGENT = 0.9
"""A subagent's record beside a main one that matches as well."""
REVIEW = 0.8
"""A reviewer's session about another session."""
BY_ROLE: Mapping[Role, float] = MappingProxyType({Role.SUBAGENT: SUBAGENT, Role.REVIEW: REVIEW})
"""What the kind of a record takes from its score, by words and by meaning."""
ROBOT = 0.8
"""A session that a program started."""

ORDINARY_LENGTH = 400
"""Terms of an ordinary session."""
MARATHON = 0.03
"""Taken from the score for each time a session is e times as long: it holds any words somewhere. From .01 to .05 the
figures of both sets stay or gain a little."""

HANDED_OVER = 0.6
"""What a word counts in a plan that was handed over or a summary: it was said in the session before."""
ASKED_ONLY = 0.5
"""Taken from a session whose words stand only in turns that ask: it asked in vain."""
ASKED_FREE = 0.8
"""Share of a session's words in turns that ask up to which nothing is taken: a question has an answer beside it."""

FIT_SESSION = 0.5
"""What a word counts for the fit if the record holds it elsewhere than in the best passage; the root of the length
beyond an ordinary one divides it, since a marathon session holds most words by chance."""
PASSAGES = 3
"""Passages per hit."""
PHRASE_CHECKS = 400
"""Turns that are opened at most to verify one phrase."""

MEANING = 0.8
"""Share of the likeness in meaning where no word of the cue fits; it falls with the fit of the best candidate's words.
The mean of the best settings of a random search (docs/ranking.md); from 0.6 to 1.2 no figure moves by more than .02."""
MEANING_OPENING = 0.4
"""What the likeness of a record's first two texts, its title and first prompt, adds to that of its nearest text."""
MEANING_FLOOR = 0.12
"""Likeness below this says nothing: two unrelated sentences lie about there."""
MEANING_MARATHON = 0.02
"""Likeness taken from a record for each time its texts are e times `MEANING_TEXTS`: the nearest of three hundred texts
is nearer by chance than the nearest of ten."""
MEANING_TEXTS = 10
"""Texts of an ordinary record."""
MEANING_BELOW_FIT = 0.8
"""Meanings are asked only where the best candidate's words fit less than this. From 0.7 to always, the figures stay
within .01."""
MEANING_AMONG = 50
"""Candidates by words that are considered with the meanings."""
MEANING_PLACES = (2, 5)
"""Places (from 0) that the best and second best by meaning are given where they do not stand before: what is meant but
said in other words, or in another language, is then among the three that a person sees first."""
PLACES_BELOW_FIT = 0.6
"""The places are given only where words fit less than this."""
LIKENESS_ALONE = 0.3
"""A record that no word reached is a candidate from this cosine on. Of 40 cues without an answer the best record lies
between .22 and .42, of 25 with one between .33 and .82."""

SECOND = 0.4
"""Share of the cosine that the optional second look gives, where no word of the cue fits; it falls with the fit, as
`MEANING` does. The gentlest that was tried: from 0.8 on LoCoMo loses a question more at the first place (docs/ranking.md)."""
SECOND_AMONG = 6
"""Candidates that are looked at again: twelve move no figure by more than one cue, for twice the time."""
