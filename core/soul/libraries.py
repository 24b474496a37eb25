"""Names that a language brings along: a project's file of the same name does not make `errors.New` a symbol of the project."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SCRIPT = _words(
    """
    assert buffer child_process cluster console crypto dns events fs http http2 https module net os path perf_hooks process punycode querystring
    readline repl stream string_decoder test timers tls tty url util v8 vm worker_threads zlib
    window document navigator location history localStorage sessionStorage performance JSON Math Object Array Number String Promise Reflect Intl
    Symbol Map Set Date Error Buffer URL
    """
)
BROUGHT = {
    "python": frozenset(sys.stdlib_module_names),
    "go": _words(
        """
        adler32 aes ascii85 ast atomic base32 base64 big binary bits bufio build buildinfo bytes cgi cipher cmplx color constant context cookiejar
        crc32 crc64 crypto csv debug des doc draw driver dsa ecdh ecdsa ed25519 elf elliptic embed encoding errors exec expvar fcgi filepath
        flag flate fmt fnv format fs fstest gif gob gzip hash heap hex hmac html http httptest httptrace httputil image importer io iotest
        ioutil iter jpeg json jsonrpc list log lzw mail maps math md5 metrics mime multipart net netip os palette parse parser path pem pkix png
        plugin pprof printer quick quotedprintable rand rc4 reflect regexp ring rpc rsa runtime scanner sha1 sha256 sha512 signal slices slog
        slogtest smtp sort sql strconv strings structs subtle suffixarray sync syntax syscall syslog tabwriter tar template testing text
        textproto time tls token trace types unicode unique unsafe url user utf16 utf8 version weak x509 xml zip zlib
        """
    ),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "rust": _words(
        """
        alloc any arch array ascii borrow boxed cell char clone cmp collections convert core default env error f32 f64 ffi fmt fs future hash hint i32
        i64 io iter marker mem net num ops option os panic path pin prelude primitive process ptr rc result slice str string sync task
        thread time u32 u64 u8 usize vec
        """
    ),
    "java": _words(
        """
        Arrays Collections Collectors Duration Files Instant Integer Boolean Double Long List Map Math Objects Optional Path Paths Set Stream String
        StringBuilder System Thread
        """
    ),
    "ruby": _words("Array Dir Digest ENV ERB FileUtils File Hash IO JSON Logger Net Pathname Process Set String Time URI YAML"),
    "cpp": _words("std chrono filesystem regex string thread vector"),
    "c": frozenset[str](),
}  # fmt: skip
"""Languages to the modules, packages and types of their own libraries, by the name that code calls them."""
_DEPENDING = ("pyproject.toml", "package.json", "Cargo.toml", "setup.cfg")
"""Manifests that name what a project depends on."""


def depends_on(name: str, manifests: Mapping[str, str]) -> bool:
    """True if a manifest at the root names a library so, whatever its case."""
    written = re.escape(name).replace("_", "[-_]").replace(r"\-", "[-_]")
    pattern = re.compile(
        rf"""["']{written}(?:\[[^\]]*\])?\s*(?:["']\s*[:=,\]]|[<>=~!^;@]|["']\s*$)|^\s*{written}\s*(?:\[[^\]]*\]\s*)?(?:=\s*["'{{]|[<>=~!]=)""",
        re.IGNORECASE | re.MULTILINE,
    )
    return any(pattern.search(text) for path, text in manifests.items() if path in _DEPENDING)
