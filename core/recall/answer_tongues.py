"""Corrections in German, French, Spanish, Portuguese, Japanese, Korean and Chinese, as parts of the expressions that
`core.recall.answers` reads an answer with. Our own lists.
"""

from __future__ import annotations

NOT_THIS = (
    r"das nicht|nicht (?:das|die|der|diese[rs]?)|(?:das|die|der) (?:ist|war) es nicht|das war(?:'s| es) nicht|"
    r"pas (?:ça|cela|celle-là|celui-là|celle-ci)|ce n'est pas (?:ça|celle-là|la bonne|elle)|pas la bonne|"
    r"no es (?:ese|esa|eso|esta|este)|es[ao] no|no era es[ao]|"
    r"não é (?:esse|essa|isso|esta|este)|ess[ae] não|não era ess[ae]|"
    r"違(?:う|います|いました)|それじゃ(?:ない|ありません)|それではない(?:です)?|別の(?:です|もの)?|"
    r"아니(?:야|에요|요)?|그거 말고|그게 아니(?:야|에요)|다른 거(?:요)?|不是(?:这个|那个|它)?|不对|"
    r"(?:falsch|eine andere|une autre|otra|outra|换一个|另一个)(?=\s*(?:$|[,;:.!、。，]))"
)
"""The whole of "not that one"."""
BEFORE = (
    r"früher|davor|vorher|das davor|die davor|plus tôt|avant|celle d'avant|la précédente|antes|anterior|la anterior|más antigua|"
    r"a anterior|mais antiga|もっと前|その前|前の(?:もの|会話)?|더 전에|그 전(?:에)?|이전 거|更早(?:的)?|之前(?:的)?|前一个"
)
AFTER = (
    r"später|danach|das danach|die danach|plus tard|après|celle d'après|la suivante|después|más tarde|la siguiente|"
    r"depois|mais tarde|a seguinte|もっと後|その後|後の(?:もの|会話)?|더 나중|그 후(?:에)?|그 다음|之后(?:的)?|更晚(?:的)?|后一个"
)
OTHER_PROJECT = (
    r"\b(?:das|im|in einem|ein) andere[nms]? (?:projekt|repo|ordner)\b|\b(?:l'autre|un autre|dans l'autre|dans un autre) (?:projet|dépôt|dossier)\b|"
    r"\b(?:el otro|otro|en el otro|en otro) (?:proyecto|repositorio)\b|\b(?:o outro|outro|no outro|em outro) (?:projeto|repositório)\b|"
    r"別のプロジェクト|他のプロジェクト|다른 프로젝트|(?:另一个|别的|其他)项目"
)
OTHER_RUNTIME = (
    r"\b(?:der|das|mit dem|im) andere[nmrs]? (?:agent(?:en)?|werkzeug|assistent(?:en)?)\b|\bl'autre (?:agent|outil|assistant)\b|"
    r"\b(?:el otro|otro) (?:agente|asistente)\b|\b(?:o outro|outro) (?:agente|assistente)\b|別のエージェント|다른 에이전트|另一个(?:助手|代理|工具)"
)
RUNTIME_BEFORE = (
    r"es war (?:in|mit|bei)|das war (?:in|mit|bei)|c'était (?:dans|avec|sur)|era (?:en|con)|fue (?:en|con)|era (?:no|na|com|em)|"
    r"foi (?:no|na|com|em)|是在|是用|用的是|在"
)
"""Words in front of a runtime's name that say it was held there."""
RUNTIME_BEHIND = r"だった|でした|です|でやった|で話した|였어요?|이었어요?|에서 했어요?|里(?:的|说的|做的)?|里面"
"""Words behind it."""
NARROW = (
    r"^(?:nur|bloß) (?:der|den|die|das) (?:teil|stelle|abschnitt) (?:über|zu|mit|von|wo|als)\s+(?P<de>.+)$|"
    r"^(?:juste|seulement) (?:la partie|le passage) (?:sur|où|avec|de)\s+(?P<fr>.+)$|"
    r"^(?:solo|sólo|solamente) la parte (?:sobre|de|donde|con)\s+(?P<es>.+)$|"
    r"^(?:só|apenas|somente) a parte (?:sobre|de|do|da|onde|com)\s+(?P<pt>.+)$|"
    r"^(?P<ja>.+?)(?:の部分|のところ|の箇所)だけ[。]?$|^(?P<ko>.+?) (?:부분|대목)만[.]?$|^(?:只要|只看)(?:关于)?(?P<zh>.+?)(?:的)?(?:部分|那段)[。]?$"
)
"""The whole of "just the part about …"; what it is about stands in the one group that matched."""
LINE = r"(?:die )?ganze (?:geschichte|arbeit|linie)|toute l'histoire|toda la historia|toda a história|全体の流れ|経緯全体|전체 (?:과정|흐름)|整个(?:过程|经过)"
TOPIC = r"(?:das )?(?:ganze )?thema|(?:le |tout le )?sujet|(?:el |todo el )?tema|(?:o |todo o )?assunto|話題(?:全体)?|전체 주제|整个话题"
CONCEPT = (
    r"worauf wir uns geeinigt haben|ce qu'on a décidé|lo que acordamos|o que combinamos|決まったこと|정한 것|最后的决定"
)
SESSION = r"nur die sitzung|juste la session|solo la sesión|só a sessão|その会話だけ|그 대화만|只要这次对话"
IDENTIFY = (
    r"(?:ja[\s,.!]+)?(?:gefunden|stimmt|richtig|die ist es|der ist es|die war(?:'s| es))",
    r"(?:oui[\s,.!]+)?(?:c'était (?:ça|celle-là|elle)|trouvé|voilà)",
    r"(?:s[ií][\s,.!]+)?(?:es es[ae]|era es[ae]|es[ae] era|correcto|la encontraste)",
    r"(?:sim[\s,.!]+)?(?:era (?:essa|esse|isso)|achou|certo)",
    r"(?:はい[、。 ]*)?(?:その会話です|見つかりました|合っています|正解(?:です)?)。?",
    r"(?:네[,. ]*)?(?:그 대화(?:예요|야|입니다)|찾았(?:어요|다)|맞습니다)[.]?",
    r"(?:对[,，。 ]*)?(?:找到了|就是它|正是)。?",
)
NOTHING = (
    r"(?:ich )?weiß (?:ich )?nicht(?: mehr)?|keine ahnung|je ne sais (?:pas|plus)|aucune idée|no (?:lo )?sé|ni idea|não sei|"
    r"não (?:me )?lembro|わからない|分かりません|覚えていません|모르겠어요?|기억 안 나(?:요)?|不知道|不记得了?|想不起来"
)
"""The whole of "I don't remember"."""
WIDER = (
    r"(?:bitte )?(?:breiter|weiter|tiefer|überall) suchen|such(?:e)? (?:breiter|weiter|überall)|"
    r"cherche(?:r)? (?:plus loin|plus large|partout)|busca(?:r)? (?:más a fondo|en todo|más)|procura(?:r)? (?:mais|em tudo|mais a fundo)|"
    r"(?:全部|もっと広く|広く)(?:検索|探して)(?:ください)?|(?:더 넓게|전부) (?:찾아|검색해)(?: ?(?:줘|주세요))?|(?:扩大搜索|全部搜索|全文搜索)"
)
"""The whole of "search wider"."""
PICK = (
    r"(?:zeig(?:e)?(?: mir)? |öffne )?(?:der|die|das) (?P<de>erste|zweite|dritte|vierte|fünfte|letzte)(?: (?:sitzung|treffer|eintrag))?|"
    r"(?:montre(?:-moi)? |ouvre )?(?:le|la) (?P<fr>premi(?:er|ère)|deuxième|seconde?|troisième|quatrième|cinquième|derni(?:er|ère))(?: session)?|"
    r"(?:muéstrame |abre )?(?:el|la) (?P<es>primer[oa]|segund[oa]|tercer[oa]|cuart[oa]|quint[oa]|últim[oa])(?: sesión)?|"
    r"(?:mostra |abre )?[oa] (?P<pt>primeir[oa]|segund[oa]|terceir[oa]|quart[oa]|quint[oa]|últim[oa])(?: sessão)?|"
    r"(?P<ja>最初|一つ目|二つ目|三つ目|四つ目|五つ目|[1-9１-９一二三四五]番目|最後)(?:の(?:会話|やつ|もの)?)?(?:です)?|"
    r"(?P<ko>첫|두|세|네|다섯|마지막) ?(?:번째(?: ?(?:거|것|대화))?|거|것)(?:요)?|(?P<zh>第[一二三四五1-9]|最后一)(?:个|次|段)(?:对话|会话)?"
)
"""The whole of "the second one", the word for its place in the one group that matched."""
PLACES = (
    ("erst premi primer primeir 最初 一つ 1番 １番 一番 첫 第一 第1", 1),
    ("zweit deuxième second segund 二つ 2番 ２番 二番 두 第二 第2", 2),
    ("dritt troisième tercer terceir 三つ 3番 ３番 三番 세 第三 第3", 3),
    ("viert quatrième cuart quart 四つ 4番 ４番 四番 네 第四 第4", 4),
    ("fünft cinquième quint 五つ 5番 ５番 五番 다섯 第五 第5", 5),
    ("letzt derni últim 最後 마지막 最后", -1),
)
"""How the words for a place begin, and the place; -1 is the last."""
