"""Go and Java need no import within a package: who uses a file of its own package is a dependent of it all the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.delegation.dependents import dependents_of
from core.delegation.neighbours import names_of


class Held:
    """The files of a project, as far as dependents are told from them."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._held = files
        self.files = self.readable = tuple(sorted(files))

    def data(self, path: str) -> bytes | None:
        return self._held[path].encode()

    def text(self, path: str) -> str | None:
        return self._held[path]


GO = {
    "go.mod": "module example.test/pay\n",
    "ledger/post.go": "package ledger\n\ntype Post struct{ max int }\n\nconst limit = 3\n\nfunc write(p Post) error { return nil }\n",
    "ledger/read.go": "package ledger\n\nfunc Read() {\n\twrite(Post{})\n}\n",
    "ledger/read_test.go": "package ledger\n\nfunc TestRead() { _ = limit }\n",
    "ledger/other_test.go": "package ledger_test\n\nfunc TestOther() { write() }\n",
    "ledger/own.go": "package ledger\n\nfunc own() { limit := 4; _ = limit; s := row{limit: 1}; s.write() }\n",
    "ledger/said.go": 'package ledger\n\n// Post is written by write.\nvar said = "write(Post{})"\n',
    "cmd/main.go": 'package main\n\nimport "example.test/pay/ledger"\n\nfunc main() { ledger.Read() }\n',
    "cmd/limit.go": "package main\n\nfunc limits() { _ = limit }\n",
}
JAVA = {
    "src/main/java/org/pay/Budget.java": "package org.pay;\n\nclass Budget {\n  static int max() { return 3; }\n}\n",
    "src/main/java/org/pay/Client.java": "package org.pay;\n\nclass Client {\n  int n = Budget.max();\n}\n",
    "src/main/java/org/pay/Wide.java": "package org.pay;\n\nclass Wide extends Client {}\n",
    "src/test/java/org/pay/BudgetTest.java": "package org.pay;\n\nclass BudgetTest {\n  Budget budget;\n}\n",
    "src/main/java/org/pay/Other.java": "package org.pay;\n\nimport com.bank.Budget;\n\nclass Other {\n  Budget budget;\n}\n",
    "src/main/java/org/shop/Cart.java": "package org.shop;\n\nclass Cart {\n  Budget budget;\n}\n",
}


def told(files: Mapping[str, str], focus: str) -> dict[str, tuple[int, int, str]]:
    project: Any = Held(files)
    return {d.path: (d.hop, d.line, d.source) for d in dependents_of(project, [focus], 50).rows}


def test_files_of_a_go_package_that_use_its_names_depend_on_it() -> None:
    found = told(GO, "ledger/post.go")
    assert found["ledger/read.go"] == (1, 4, "ledger/post.go")
    assert found["ledger/read_test.go"] == (1, 3, "ledger/post.go")
    assert found["cmd/main.go"][0] == 1  # the import of the package
    assert set(found) == {"ledger/read.go", "ledger/read_test.go", "cmd/main.go"}


def test_classes_of_a_java_package_depend_on_one_another_across_its_folders() -> None:
    found = told(JAVA, "src/main/java/org/pay/Budget.java")
    assert found == {
        "src/main/java/org/pay/Client.java": (1, 4, "src/main/java/org/pay/Budget.java"),
        "src/test/java/org/pay/BudgetTest.java": (1, 4, "src/main/java/org/pay/Budget.java"),
        "src/main/java/org/pay/Wide.java": (2, 3, "src/main/java/org/pay/Client.java"),
    }


def test_a_file_without_names_or_that_does_not_parse_is_read_without_harm() -> None:
    for language in ("go", "java"):
        for source in (b"", b"package", b"\xff\x00class", b"func (", b"class A {" * 300):
            assert names_of(source, language).package == ""
    assert told(
        {"a.go": "", "b.go": "package a\n", "B.java": "class B {}", "C.java": "class C { B b; }"}, "B.java"
    ) == {"C.java": (1, 1, "B.java")}
