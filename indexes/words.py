"""Word lists of the analyzer: irregular English forms, and words that a question may leave out.

Both are our own work. The forms bring an irregular inflection or a short form that people type to the word they write
elsewhere ("went" to "go", "repo" to "repository"); the regular inflections are the stemmer's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_FORMS = """
go went gone | come came | see saw seen | make made | take took taken | give gave given | get got gotten
find found | think thought | buy bought | bring brought | teach taught | catch caught | fight fought | seek sought
write wrote written | speak spoke spoken | break broke broken | choose chose chosen | wake woke woken
drive drove driven | ride rode ridden | rise rose risen | fly flew flown | grow grew grown | know knew known
throw threw thrown | draw drew drawn | blow blew blown | begin began begun | run ran | swim swam swum
sing sang sung | ring rang rung | sink sank sunk | drink drank drunk | eat ate eaten | fall fell fallen
feel felt | keep kept | sleep slept | leave left | lose lost | meet met | mean meant | send sent | spend spent
build built | lend lent | bend bent | hold held | stand stood | understand understood | tell told | sell sold
say said | pay paid | hear heard | sit sat | win won | shoot shot | shine shone | stick stuck | strike struck
hang hung | hide hid hidden | bite bit bitten | forget forgot forgotten | freeze froze frozen | steal stole stolen
wear wore worn | tear tore torn | swear swore sworn | bear bore born | lead led | feed fed | lie lay lain
become became | forgive forgave | shake shook shaken | mistake mistook mistaken | spin spun | dig dug
lay laid | bind bound | wind wound | show shown | prove proven | light lit | deal dealt | dream dreamt
burn burnt | learn learnt | spell spelt | spill spilt | rewrite rewrote rewritten | undo undid undone
do did done | have had has | rebuild rebuilt | resend resent | reset resetting | withdraw withdrew withdrawn
overwrite overwrote overwritten | override overrode overridden | undergo underwent undergone
man men | woman women | child children kids kid | person people | foot feet | tooth teeth | mouse mice | goose geese
life lives | wife wives | knife knives | leaf leaves | half halves | shelf shelves | wolf wolves | index indices
matrix matrices | vertex vertices | appendix appendices | analysis analyses | hypothesis hypotheses
criterion criteria | datum data | medium media | good better best | bad worse worst | far further
mother mom mum | father dad | photo photograph pic | bicycle bike | phone telephone | television tv
fridge refrigerator
repository repo repos | directory dir dirs | configuration config configs conf | documentation docs doc
database db databases | environment env envs | application app apps | administrator admin admins
authentication auth authn | authorization authz | synchronize sync synced syncing syncs | specification spec specs
parameter param params | argument arg args | variable var vars | function func funcs fn | library lib libs
dependency dep deps | message msg msgs | error err errs | temporary temp tmp | reference ref refs
information info | statistics stats stat | development dev | production prod | kubernetes k8s | javascript js
typescript ts | python py | internationalization i18n | package pkg pkgs | implementation impl | command cmd cmds
image img | button btn | request req | response resp | password passwd pwd | maximum max | minimum min
regular regex regexp | benchmark bench | continue cont | initialize init | original orig | previous prev
"""

_STOP = """
a an the and or but if of to in on at by for from with without about into over under between through during as than
then so because until while also only even still again too very just really quite rather maybe perhaps
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
it its itself they them their theirs themselves one ones
this that these those there here thing things stuff something anything everything nothing someone somebody anyone
everyone other others another such same some any all each every both few many much more most
what which who whom whose when where why how whether
is am are was were be been being do does did done doing have has had having
will would shall should can could may might must ought
not no nor don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn cannot cant
let lets like get gets got getting go goes going went way kind sort lot bit
ok okay yes yeah please thanks well oh hey hi hello
s t d m ll re ve
"""


def lemmas() -> Mapping[str, str]:
    """Each irregular or short form, lower case, with the word it stands for."""
    table: dict[str, str] = {}
    for group in _FORMS.replace("\n", "|").split("|"):
        head, *forms = group.split() or [""]
        table.update((form, head) for form in forms)
    return MappingProxyType(table)


def stop_words() -> frozenset[str]:
    """Words that carry nothing in a cue beside others: question words, pronouns, chat filler. Lower case, not stemmed.

    They are left out of a query only, and only if something remains; the index holds them.
    """
    return frozenset(_STOP.split())
