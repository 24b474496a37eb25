"""A made-up project in nine languages, whose parts the tests break and edit."""

from __future__ import annotations

PY = '''"""Client."""

LIMIT = 3


class Client:
    """Talks."""

    retries: int = 2

    def __init__(self, url):
        self.url = url
        self.timeout = 5

    def send(self, amount):
        """Send."""
        for n in range(LIMIT):
            if self.once(amount, n):
                return True
        return False

    def once(self, amount, n):
        return amount > n

    @property
    def ready(self):
        return bool(self.url)


def refund(amount):
    return -amount


async def drain(queue):
    return await queue.get()
'''
TS = """import { x } from "./x";

export interface Order { id: string; total: number }
export type Money = number;
export enum Color { Red, Green = 2 }
export const TAX = 2;
export const cents = (n: number) => n * 100;

export class Cart {
  static kind = "cart";
  constructor(private readonly store: string, public limit: number) {}
  total(): number {
    return 1;
  }
  get size(): number { return 2; }
}
export const api = {
  fetchAll: async () => [],
  remove() { return 1; },
};
export default function checkout() { return null; }
"""
JS = """exports.load = function () { return 1; };
module.exports.save = (x) => x;
function Queue() {}
Queue.prototype.push = function (x) { return x; };
const handlers = { onOpen: function () {}, onClose() {} };
"""
RS = """pub mod ledger {
    pub struct Book { pub pages: u32 }
    pub enum Side { Debit, Credit }
    pub trait Store { fn get(&self) -> u32; }
    impl Store for Book { fn get(&self) -> u32 { self.pages } }
    impl Book {
        pub fn post(&self, amount: i64) -> i64 {
            amount
        }
    }
    pub const LIMIT: u32 = 4;
}
macro_rules! ensure { () => {} }
"""
GO = """package pay

type Client struct {
	URL string
}

type Sender interface {
	Send(amount int) error
}

func (c *Client) Post(amount int) error {
	return nil
}

func New() *Client { return &Client{} }

const (
	Max = 3
)
"""
JAVA = """package pay;

public class Bank {
    private int limit = 3;
    enum Kind { SMALL, LARGE }
    interface Rates { double rate(String day); }
    public Bank(int limit) { this.limit = limit; }
    public int pay(int amount) {
        return amount;
    }
    public int pay(long amount) { return 1; }
}
"""
C = """#include "ring.h"
#define RING_MAX 16
struct ring { int head; int tail; };
static int helper(void) { return 1; }
int ring_push(struct ring *r, int v) {
    return r->head + v;
}
char *ring_name(void) { return "x"; }
"""
H = """#ifndef RING_H
#define RING_H
struct ring;
int ring_push(struct ring *r, int v);
int ring_extern(int v);
typedef struct point { int x; } point_t;
#endif
"""
CPP = """#include "engine.hpp"
namespace core {
class Engine {
 public:
  int start(int n);
  virtual void halt() = 0;
  int speed_;
};
int Engine::start(int n) {
  return n + 1;
}
template <typename T> T twice(T x) { return x + x; }
}
"""
HPP = """namespace core {
class Shape {
 public:
  virtual double area() const = 0;
  Shape();
  ~Shape();
  int sides;
};
}
"""
RB = """module Pay
  class Gate
    attr_accessor :limit, :owner
    LIMIT = 3
    def open(n)
      n + 1
    end
    def self.build
      new
    end
    define_method(:shut) { 1 }
  end
end
"""
FILES = {
    "pay/client.py": PY,
    "pay/__init__.py": "",
    "web/src/cart.ts": TS,
    "web/src/queue.js": JS,
    "engine/src/ledger.rs": RS,
    "gopay/client.go": GO,
    "java/pay/Bank.java": JAVA,
    "native/ring.c": C,
    "native/ring.h": H,
    "native/engine.cpp": CPP,
    "native/shape.hpp": HPP,
    "rb/gate.rb": RB,
    "docs/plan.md": "# Plan\n\nAlpha one.\nBeta two.\nGamma three.\nDelta four.\n",
    "scripts/start.sh": "#!/bin/sh\necho up\n",
    "Makefile": "test:\n\tpytest\nlint:\n\truff\n",
    "package.json": '{"version":"1.4.0","scripts":{"build":"x","lint":"y"}}\n',
    ".gitignore": "*.db\nruntime/\n",
}
