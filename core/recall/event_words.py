"""The words people date by, in eight languages: what happened (a move, a release, an outage …) and before or after it.

Our own lists. A head word names a kind of event; the same kind in another language finds the same event, so that "bevor
wir auf Postgres umgezogen sind" finds a record called "Move to Postgres".
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from types import MappingProxyType


class When(StrEnum):
    """Where the sought past lies beside an event."""

    BEFORE = "before"
    AFTER = "after"
    SINCE = "since"
    AROUND = "around"


HEADS = MappingProxyType({
    "move": "move moved moving migrate migrated migration switch switched switchover switching transition "
    "umzug umgezogen umzogen umstieg umgestiegen umstiegen umstellung umgestellt wechsel gewechselt wechselten migriert "
    "passage passés passé basculé bascule migré migrer migrés changement "
    "migración migrar migramos migrado mudanza mudamos cambio cambiamos cambiar pasamos pasar pasáramos "
    "migração mudança mudar mudamos troca trocamos passamos migrarmos mudarmos",
    "release": "release released launch launched shipped ship rollout golive "
    "veröffentlichung veröffentlicht veröffentlichten auslieferung ausgeliefert "
    "sortie publication publié lancement lancé livraison livré "
    "lanzamiento lanzamos publicación publicamos lançamento lançamos publicação publicamos",
    "outage": "outage incident downtime crash breakdown blackout "
    "ausfall störung absturz panne coupure caída apagón incidente corte queda pane apagão",
    "rewrite": "rewrite rewrote rewritten refactoring refactor refactored redesign "
    "umbau umgebaut neuschreiben réécriture réécrit refonte reescritura reescribimos reescrita reescrevemos",
    "rename": "rename renamed renaming umbenennung umbenannt umbenannten renommage renommé renombrar renombramos renomear "
    "renomeamos",
    "upgrade": "upgrade upgraded upgrading aktualisierung aktualisiert actualización actualizamos atualização atualizamos",
    "merge": "merge merged merging zusammenführung zusammengeführt fusion fusionné fusión fusionamos fusão",
    "audit": "audit inspection demo freeze conference workshop hackathon deadline prüfung vorführung konferenz auditoría "
    "auditoria démo conférence conferencia conferência",
})  # fmt: skip
"""Kinds of events and the words that name them, of languages that put spaces between words."""
SIGNS = MappingProxyType({
    "move": "移行 乗り換え 切り替え 引っ越し 移した 옮기 옮긴 이전 마이그레이션 전환 갈아타 迁移 切换 换成 改用 迁到 搬到",
    "release": "リリース 公開 出した 출시 릴리스 배포 发布 上线 发版",
    "outage": "障害 停止 ダウン 장애 다운 중단 宕机 故障 停机 中断",
    "rewrite": "書き直し 書き換え 재작성 다시 重写 重构",
    "rename": "改名 名前変更 이름 重命名",
    "upgrade": "更新 アップグレード 업그레이드 업데이트 升级",
    "merge": "統合 マージ 병합 合并",
    "audit": "監査 デモ 감사 시연 审计 演示",
})  # fmt: skip
"""The same for Japanese, Korean and Chinese."""

BEFORE = "before prior_to bevor vor vorm ehe avant_que avant antes_de_que antes_de antes_del antes_que antes_da antes_do antes"
AFTER = (
    "after following nachdem nach après_que après después_de_que después_de después_del tras depois_de depois_da depois_do "
    "depois_que após"
)
SINCE = "since ever_since seit seitdem depuis_que depuis desde_que desde"
AROUND = (
    "around_the_time_of at_the_time_of around during when rund_um um_den um_die um während als autour_de lors_de pendant "
    "au_moment_de quand alrededor_de durante cuando por_volta_de quando"
)
CONNECTORS: tuple[tuple[When, str], ...] = (
    (When.BEFORE, BEFORE),
    (When.AFTER, AFTER),
    (When.SINCE, SINCE),
    (When.AROUND, AROUND),
)
"""Words in front of an event; `_` stands for a space, the longer ones come first."""
CLOSE = (
    "right just shortly soon immediately briefly kurz direkt gleich unmittelbar juste peu immédiatement justo poco logo"
)
"""Words in front of those that bring the time near."""
BEHIND: tuple[tuple[When, str], ...] = (
    (When.BEFORE, "する前|した前|の前|前に|以前|之前|하기 전|기 전|전에"),
    (When.AFTER, "した後|の後|後に|以後|之后|以后|한 후|후에|뒤에|한 뒤"),
    (When.AROUND, "した頃|の頃|ごろ|した時|的时候|때|할 무렵|무렵"),
)
"""Signs behind an event."""

_FUNCTION = """
the a an we i they you our my to from for of on in at with by over into off it its that this was were is are be been had has have did
all
wir ich sie es der die das den dem des ein eine einen einem einer auf zu zum zur von vom nach in im mit für sind haben hatten
waren wurde wurden hat ist war
nous je on ils le la les l un une des du de à au aux vers en pour par avec a avons avait est était soit ait fut
nosotros yo lo los las el un una unos del de a al en para por con hemos había fue fuera hacia
nós eu o os as um uma do da dos das de em no na nos nas para por com foi fosse fora ao à
"""


@cache
def kind_of() -> MappingProxyType[str, str]:
    """Each head word and the kind of event it names."""
    return MappingProxyType({word: kind for kind, words in HEADS.items() for word in words.split()})


@cache
def function_words() -> frozenset[str]:
    """Words between a head and what the event was about, in the European languages."""
    return frozenset(_FUNCTION.split())
