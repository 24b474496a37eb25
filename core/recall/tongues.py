"""The words for times in German, French, Spanish, Portuguese, Japanese, Korean and Chinese.

Each row is a pattern and what a match means, in the terms of `core.recall.spans`. English is read in
`core.recall.times`; the order of rows is from the more to the less specific.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache

from core.patterns import Pattern
from core.recall import spans
from core.recall.spans import Span

Meaning = Callable[[re.Match[str], date], tuple[Span, ...]]
Rule = tuple[Pattern, Meaning]

_MONTHS = {
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
}
_WEEKDAYS = {
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "pt": "segunda terça quarta quinta sexta sábado domingo",
}
_SEASONS = {
    "de": {"frühling": "spring", "frühjahr": "spring", "sommer": "summer", "herbst": "autumn", "winter": "winter"},
    "fr": {"printemps": "spring", "été": "summer", "automne": "autumn", "hiver": "winter"},
    "es": {"primavera": "spring", "verano": "summer", "otoño": "autumn", "invierno": "winter"},
    "pt": {"primavera": "spring", "verão": "summer", "outono": "autumn", "inverno": "winter"},
}
_NUMBERS = {
    "de": {"ein": 1, "eine": 1, "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6},
    "fr": {"un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6},
    "es": {"un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6},
    "pt": {"um": 1, "uma": 1, "dois": 2, "duas": 2, "três": 3, "quatro": 4, "cinco": 5, "seis": 6},
}
_VAGUE = {
    "de": "ein paar|einigen|mehreren",
    "fr": "quelques",
    "es": "unos|unas|algunos|algunas",
    "pt": "alguns|algumas|uns|umas",
}
_UNITS = {
    "de": {"tag": "day", "woche": "week", "monat": "month", "jahr": "year", "stunde": "hour"},
    "fr": {"jour": "day", "semaine": "week", "mois": "month", "an": "year", "année": "year", "heure": "hour"},
    "es": {"día": "day", "semana": "week", "mes": "month", "año": "year", "hora": "hour"},
    "pt": {"dia": "day", "semana": "week", "mês": "month", "mes": "month", "ano": "year", "hora": "hour"},
}
_ENDINGS = {"de": "e?n?s?", "fr": "s?", "es": "(?:es|s)?", "pt": "(?:es|s)?"}
_AGO = {"de": "vor {}", "fr": "il y a {}", "es": "hace {}", "pt": "(?:há|faz) {}|{} atrás"}
_YEAR = r"(?:,?\s+(?:de\s+|do\s+ano\s+)?(?P<year>(?:19|20)\d\d))?"
_IN_MONTH = {
    "de": r"(?:im|seit|vom|letzten)\s+(?P<part>anfang\s+|mitte\s+|ende\s+)?{month}|(?P<alone>anfang|mitte|ende)\s+{month2}",
    "fr": r"(?:en|depuis|dès|au mois de)\s+{month}|(?P<alone>début|mi-|mi|fin)\s*-?\s*{month2}",
    "es": r"en\s+{month}|a?\s*(?P<alone>principios|mediados|finales|comienzos|fines)\s+de\s+{month2}",
    "pt": r"em\s+{month}|(?:no\s+|em\s+)?(?P<alone>início|começo|meados|fim|final)\s+de\s+{month2}",
}
_PARTS = {
    "anfang": "early", "début": "early", "principios": "early", "comienzos": "early", "início": "early", "começo": "early",
    "mitte": "mid", "mi": "mid", "mi-": "mid", "mediados": "mid", "meados": "mid",
    "ende": "late", "fin": "late", "finales": "late", "fines": "late", "fim": "late", "final": "late",
}  # fmt: skip
_LAST = {
    "de": (r"letzte[nrs]?\s+{unit}", r"diese[nrs]?\s+{unit}"),
    "fr": (r"(?:la|le|l['’])\s*{unit}\s+(?:derni(?:er|ère)|passée?)", r"cette?\s+{unit}"),
    "es": (r"(?:la|el)\s+{unit}\s+pasad[ao]", r"est[ae]\s+{unit}"),
    "pt": (r"(?:(?:n?[ao])\s+)?{unit}\s+passad[ao]", r"est[ae]\s+{unit}"),
}
_LAST_DAY = {
    "de": r"(?:am|letzten|vergangenen)\s+{weekday}",
    "fr": r"{weekday}\s+(?:dernier|passé)",
    "es": r"el\s+{weekday}(?:\s+pasado)?",
    "pt": r"(?:na|no)?\s*{weekday}(?:-feira)?\s+passad[ao]",
}
_DATE = {
    "de": r"(?:am\s+)?(?P<day>\d{{1,2}})\.\s*{month}",
    "fr": r"le\s+(?P<day>\d{{1,2}})(?:er)?\s+{month}",
    "es": r"(?P<day>\d{{1,2}})\s+de\s+{month}",
    "pt": r"(?P<day>\d{{1,2}})\s+de\s+{month}",
}
_SEASON = {
    "de": r"(?:im|letzten|diesen|seit dem)\s+{season}",
    "fr": r"(?:au|en|à l['’]|l['’]|cet|le)\s*{season}(?:\s+dernier)?",
    "es": r"(?:en|la|el|esta|este)\s+(?:la\s+)?{season}(?:\s+pasad[oa])?",
    "pt": r"(?:na|no|em|nesta|neste)\s+{season}(?:\s+passad[oa])?",
}
_NAMED = {
    r"vorgestern|avant-hier|antes de ayer|anteayer|anteontem": "before_yesterday",
    r"gestern(?:\s+(?:abend|morgen|nacht))?|hier\s+(?:soir|matin|après-midi)|ayer|ontem(?:\s+à\s+noite)?": "yesterday",
    r"heute|aujourd['’]hui|hoy|hoje": "today",
    r"neulich|l['’]autre jour|el otro día|outro dia": "other_day",
    r"kürzlich|in letzter zeit|récemment|recientemente|últimamente|recentemente|ultimamente": "recently",
    r"vor einer weile|vor einiger zeit|il y a un moment|il y a quelque temps|hace tiempo|hace un tiempo|há um tempo|há algum tempo": "while_ago",
}


def _names(table: str, group: str) -> tuple[str, dict[str, int]]:
    words = table.split()
    return rf"(?P<{group}>{'|'.join(sorted(words, key=len, reverse=True))})", {w: n for n, w in enumerate(words)}


def _year_of(match: re.Match[str]) -> int | None:
    year = match.groupdict().get("year")
    return int(year) if year else None


@cache
def _european(tongue: str) -> tuple[Rule, ...]:
    """The rules of one European language."""
    month, month_numbers = _names(_MONTHS[tongue], "month")
    month2 = month.replace("<month>", "<month2>")
    weekday, weekday_numbers = _names(_WEEKDAYS[tongue], "weekday")
    season_words = _SEASONS[tongue]
    season = rf"(?P<season>{'|'.join(season_words)})"
    units = _UNITS[tongue]
    numbers = _NUMBERS[tongue]
    amount = rf"(?:(?P<n>\d{{1,3}}|{'|'.join(numbers)})|(?P<vague>{_VAGUE[tongue]}))\s+(?P<unit>{'|'.join(sorted(units, key=len, reverse=True))}){_ENDINGS[tongue]}"
    last_units = {k: v for k, v in units.items() if v in ("week", "month", "year")}
    unit = rf"(?P<unit>{'|'.join(sorted(last_units, key=len, reverse=True))})"

    def of_date(m: re.Match[str], today: date) -> tuple[Span, ...]:
        return spans.days(month_numbers[m["month"]] + 1, int(m["day"]), _year_of(m), today)

    def of_month(m: re.Match[str], today: date) -> tuple[Span, ...]:
        groups = m.groupdict()
        name = groups.get("month") or groups["month2"]
        part = (groups.get("part") or groups.get("alone") or "").strip()
        return spans.months(month_numbers[name] + 1, _PARTS.get(part, ""), _year_of(m), today)

    def of_ago(m: re.Match[str], today: date) -> tuple[Span, ...]:
        vague = m["vague"] is not None
        count = 3 if vague else int(m["n"]) if m["n"].isdigit() else numbers[m["n"]]
        return spans.ago(count, units[m["unit"]], today, vague=vague)

    ago_forms = "|".join(form.format(amount) for form in _AGO[tongue].split("|")[:1])
    if tongue == "pt":
        ago_forms = rf"(?:há|faz)\s+{amount}|" + re.sub(r"\?P<(\w+)>", r"?P<\g<1>2>", amount) + r"\s+atrás"

        def of_ago_pt(m: re.Match[str], today: date) -> tuple[Span, ...]:
            n, vague, unit_ = (m[g] or m[g + "2"] for g in ("n", "vague", "unit"))
            count = 3 if vague else int(n) if n.isdigit() else numbers[n]
            return spans.ago(count, units[unit_], today, vague=bool(vague))

        of_ago = of_ago_pt
    in_month = _IN_MONTH[tongue].format(month=month, month2=month2)
    past, this = (form.format(unit=unit) for form in _LAST[tongue])
    return (
        (_p(_DATE[tongue].format(month=month) + _YEAR), of_date),
        (_p(f"(?:{in_month})" + _YEAR), of_month),
        (_p(ago_forms), of_ago),
        (_p(past), lambda m, today: spans.last_unit(last_units[m["unit"]], today)),
        (_p(this), lambda m, today: spans.last_unit(last_units[m["unit"]], today, current=True)),
        (_p(_LAST_DAY[tongue].format(weekday=weekday)), lambda m, today: spans.last_weekday(weekday_numbers[m["weekday"]], today)),
        (_p(_SEASON[tongue].format(season=season) + _YEAR), lambda m, today: spans.season(season_words[m["season"]], _year_of(m), today)),
    )  # fmt: skip


def _p(source: str) -> Pattern:
    return Pattern(rf"(?<!\w)(?:{source})(?!\w)")


def _digits(text: str) -> int:
    """A number in Arabic or Chinese digits, up to twelve."""
    table = {
        "一": 1,
        "二": 2,
        "两": 2,
        "三": 3,
        "四": 4,
        "五": 5,
        "六": 6,
        "七": 7,
        "八": 8,
        "九": 9,
        "十": 10,
        "十一": 11,
        "十二": 12,
    }
    return table.get(text) or int(text)


_N = r"(?P<n>\d{1,3}|[一二两三四五六七八九十]{1,2})"
_CJK_UNITS = {
    "日": "day", "天": "day", "일": "day", "週間": "week", "周": "week", "星期": "week", "个星期": "week", "주": "week", "주일": "week",
    "か月": "month", "ヶ月": "month", "カ月": "month", "个月": "month", "개월": "month", "달": "month", "年": "year", "년": "year",
    "時間": "hour", "小时": "hour", "시간": "hour",
}  # fmt: skip
_CJK_UNIT = "(?P<unit>" + "|".join(sorted(_CJK_UNITS, key=len, reverse=True)) + ")"
_CJK_PARTS = {
    "上旬": "early", "初め": "early", "初": "early", "中旬": "mid", "中頃": "mid", "下旬": "late", "末": "late", "底": "late",
    "초": "early", "중순": "mid", "말": "late", "하순": "late", "상순": "early",
}  # fmt: skip
_CJK_PART = "(?P<part>" + "|".join(sorted(_CJK_PARTS, key=len, reverse=True)) + ")?"
_CJK_DAYS = {"月": 0, "火": 1, "水": 2, "木": 3, "金": 4, "土": 5, "日": 6}
_ZH_DAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_KO_DAYS = {"월": 0, "화": 1, "수": 2, "목": 3, "금": 4, "토": 5, "일": 6}
_CJK_SEASONS = {
    "春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter", "봄": "spring", "여름": "summer", "가을": "autumn", "겨울": "winter",
}  # fmt: skip
_CJK_NAMED = {
    "一昨日|おととい|前天|그저께|그제": "before_yesterday",
    "昨日|昨夜|きのう|昨晩|昨天|昨晚|어제|어젯밤": "yesterday",
    "今日|今朝|きょう|今天|오늘": "today",
    "先日|この前|この間|前几天|前两天|那天|며칠 전|얼마 전|요전": "other_day",
    "最近|近ごろ|近頃|近来|요즘|최근": "recently",
    "しばらく前|少し前|前阵子|前段时间|한참 전|예전에": "while_ago",
}
_CJK_LAST = {
    "先週|上周|上星期|上个星期|지난주|지난 주": ("week", False),
    "今週|这周|本周|这个星期|이번 주|이번주": ("week", True),
    "先月|上个月|上月|지난달|지난 달": ("month", False),
    "今月|这个月|本月|이번 달|이번달": ("month", True),
    "去年|昨年|작년|지난해": ("year", False),
    "今年|올해": ("year", True),
}


@cache
def _asian() -> tuple[Rule, ...]:
    """The rules of Japanese, Korean and Chinese, which share most of their signs."""

    def of_ago(m: re.Match[str], today: date) -> tuple[Span, ...]:
        vague = m["vague"] is not None
        return spans.ago(3 if vague else _digits(m["n"]), _CJK_UNITS[m["unit"]], today, vague=vague)

    def of_day(m: re.Match[str], today: date) -> tuple[Span, ...]:
        return spans.days(_digits(m["month"]), _digits(m["day"]), _year_of(m), today)

    def of_month(m: re.Match[str], today: date) -> tuple[Span, ...]:
        number = _digits(m["month"])
        part = _CJK_PARTS.get(m["part"] or "", "")
        return spans.months(number, part, _year_of(m), today) if 1 <= number <= 12 else ()

    year, month = (
        r"(?:(?P<year>(?:19|20)\d\d)(?:年|년)\s*)?",
        r"(?<!\d)(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])(?:月|월)",
    )
    rules: list[Rule] = [
        (Pattern(rf"{year}{month}\s*(?P<day>\d{{1,2}})\s*(?:日|号|일)"), of_day),
        (Pattern(rf"(?:{_N}|(?P<vague>数|几|幾|몇))\s*{_CJK_UNIT}\s*(?:前|전|以前)"), of_ago),
        (Pattern(rf"{year}{month}(?:の|的)?\s*{_CJK_PART}(?!\d)"), of_month),
        (Pattern(r"(?P<d>[月火水木金土日])曜"), lambda m, t: spans.last_weekday(_CJK_DAYS[m["d"]], t)),
        (Pattern(r"(?:星期|周|礼拜)(?P<d>[一二三四五六日天])"), lambda m, t: spans.last_weekday(_ZH_DAYS[m["d"]], t)),
        (Pattern(r"(?P<d>[월화수목금토일])요일"), lambda m, t: spans.last_weekday(_KO_DAYS[m["d"]], t)),
        (
            Pattern(r"(?P<s>[春夏秋冬])(?:に|の|頃|ごろ|天|季|にかけて)|(?P<k>봄|여름|가을|겨울)(?:에|의|쯤)"),
            lambda m, t: spans.season(_CJK_SEASONS[m["s"] or m["k"]], None, t),
        ),
    ]
    for words, (unit, current) in _CJK_LAST.items():
        rules.append((Pattern(words), lambda _, t, u=unit, c=current: spans.last_unit(u, t, current=c)))  # type: ignore[misc]
    for words, name in _CJK_NAMED.items():
        rules.append((Pattern(words), lambda _, t, n=name: spans.named(n, t)))  # type: ignore[misc]
    return tuple(rules)


@cache
def _named_european() -> tuple[Rule, ...]:
    return tuple((_p(words), lambda _, t, n=name: spans.named(n, t)) for words, name in _NAMED.items())


_WORD = Pattern(r"[^\W\d_]+")


def words_of(text: str) -> frozenset[str]:
    """The words of a text, lower case, without numbers."""
    return frozenset(_WORD.findall(text.lower()))


def _time_words() -> frozenset[str]:
    """Words of the European tongues without one of which none of their rules matches."""
    stems = [*_MONTHS.values(), *_WEEKDAYS.values(), *(" ".join(t) for t in (*_SEASONS.values(), *_UNITS.values()))]
    words = {w for table in stems for w in table.split()}
    words |= {w + ending for w in list(words) for ending in ("s", "n", "en", "e", "es")}
    words |= set(_WORD.findall(" ".join(_NAMED)))
    return frozenset(words)


TIME_WORDS = _time_words()


def rules_of_other_tongues(text: str) -> list[Rule]:
    """The rules that may apply to `text` (lower case): those of the scripts it is written in."""
    rules: list[Rule] = []
    if any("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in text):
        rules += _asian()
    if not words_of(text).isdisjoint(TIME_WORDS):
        rules += _named_european()
        for tongue in _MONTHS:
            rules += _european(tongue)
    return rules
