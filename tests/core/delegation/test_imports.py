"""Imports in every language with a grammar lead to the project's own files, and to no others."""

from __future__ import annotations

import pytest

from core.delegation.imports import imports_of, language_of
from core.delegation.modules import Modules

CASES = [
    ("pay/a.py", "import os, pay.b as b\n", {"pay/b.py"}),
    ("pay/a.py", "from . import b, c\n", {"pay/b.py", "pay/c.py"}),
    ("pay/a.py", "from .b import (\n    x,  # why\n    y,\n)\n", {"pay/b.py"}),
    ("pay/deep/a.py", "from ..b import x\n", {"pay/b.py"}),
    ("pay/a.py", "from pay import b\n", {"pay/b.py"}),
    ("pay/a.py", "from pay import VERSION\n", {"pay/__init__.py"}),
    ("pay/a.py", "from ....b import x\n", set()),
    ("pay/a.py", "'import pay.b'\n# import pay.b\n", set()),
    ("tests/a.py", "from lib.tool import x\n", {"src/lib/tool.py"}),
    ("web/a.ts", 'import { b } from "./b";\nexport * from "./dir";\n', {"web/b.ts", "web/dir/index.ts"}),
    ("web/a.tsx", 'const b = await import("./b.js");\n', {"web/b.ts"}),
    ("web/a.js", "const b = require('./b'); const c = other('./c');\n", {"web/b.ts"}),
    ("web/a.ts", 'import x from "react";\nimport y from "../../../b";\n', set()),
    ("web/a.ts", 'import { k } from "@shop/kit";\nimport d from "@shop/kit/deep";\n', {"kit/src/index.ts", "kit/src/deep.ts"}),
    ("web/a.ts", 'import b from "@/b";\n', {"web/src/b.ts"}),
    ("cmd/main.go", 'package main\nimport (\n  "fmt"\n  led "example.test/pay/ledger"\n)\n', {"ledger/post.go", "ledger/read.go"}),
    ("cmd/main.go", 'package main\nimport "example.test/paying/ledger"\n', set()),
    ("engine/src/lib.rs", "mod ledger;\nuse crate::ledger::{post, read::Reader};\n", {"engine/src/ledger.rs", "engine/src/ledger/read.rs"}),
    ("engine/src/ledger/read.rs", "use super::post;\nuse std::io;\n", {"engine/src/ledger.rs"}),
    ("engine/tests/t.rs", "use engine_core::ledger::post;\n", {"engine/src/ledger.rs"}),
    ("j/src/main/java/org/pay/A.java", "import org.pay.B;\nimport static org.pay.C.max;\nimport java.util.List;\n",
     {"j/src/main/java/org/pay/B.java", "j/src/main/java/org/pay/C.java"}),
    ("c/a.c", '#include <stdio.h>\n#include "wire.h"\n#include "deep/x.h"\n', {"c/wire.h", "include/deep/x.h"}),
    ("r/a.rb", "require_relative 'b'\nrequire 'tool/x'\nrequire 'json'\n", {"r/b.rb", "lib/tool/x.rb"}),
]  # fmt: skip
FILES = (
    {path for path, _, _ in CASES}
    | {target for _, _, targets in CASES for target in targets}
    | {"pay/deep/__init__.py", "pay/__init__.py", "web/package.json"}
)
MANIFESTS = {
    "kit/package.json": '{"name": "@shop/kit"}', "go.mod": "module example.test/pay\n\ngo 1.22\n",
    "engine/Cargo.toml": '[package]\nname = "engine-core"\n',
}  # fmt: skip


@pytest.mark.parametrize(("path", "source", "targets"), CASES)
def test_an_import_leads_to_its_file(path: str, source: str, targets: set[str]) -> None:
    language = language_of(path)
    assert language is not None
    modules = Modules(FILES, MANIFESTS)
    found = {t for one in imports_of(source.encode(), language) for t in modules.targets(one, path, language)}
    assert found == targets


def test_hostile_source_is_read_without_harm() -> None:
    for language in ("python", "javascript", "rust", "go", "java", "c", "cpp", "ruby", "typescript", "tsx"):
        for source in (
            b"",
            b"\xff\xfe\x00import",
            b"import " * 500,
            b"use a::{" * 300,
            b"from . import (" + b"a, " * 900,
        ):
            assert isinstance(imports_of(source, language), tuple)
