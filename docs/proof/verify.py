#!/usr/bin/env python3
"""Checks files of signed heads (heads.ndjson) with nothing but Python's standard library.

    python3 verify.py FILE...

The formats are described in docs/spec/proof.md. Each file must begin with head 1. Prints a line for each file, and exits with 1 if one
of them is wrong. Ed25519 is written after RFC 8032, section 5.1.7; it only checks signatures, so it need not hide anything by its timing.
"""
import hashlib
import json
import re
import sys

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(a, b):
    """Adds two points in extended coordinates (X, Y, Z, T), x = X/Z, y = Y/Z, xy = T/Z."""
    c, d = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    e, f = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    g, h, i, j = d - c, f - e, f + e, d + c
    return g * h % P, i * j % P, h * i % P, g * j % P


def times(scalar, point):
    total = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def point_of(data):
    """The point of 32 bytes; None for bytes that are none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT % P
    if (x * x - square) % P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point_of(bytes.fromhex("58" + "66" * 31))


def is_signed(key, text, signature):
    """Whether the Ed25519 key signed the text. All but the text are hexadecimal digits."""
    key, signature = bytes.fromhex(key), bytes.fromhex(signature)
    a, r, s = point_of(key), point_of(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text.encode()).digest(), "little") % ORDER
    left, right = times(s, BASE), add(r, times(k, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


class Tree:
    """A tree of RFC 6962 that grows by a leaf at a time: only its complete subtrees are kept."""

    def __init__(self):
        self.size, self.open = 0, []

    def add(self, data):
        node, n = hashlib.sha256(b"\0" + data).digest(), self.size
        while n % 2 == 1:
            node, n = hashlib.sha256(b"\1" + self.open.pop() + node).digest(), n // 2
        self.open.append(node)
        self.size += 1

    def root(self):
        if not self.open:
            return hashlib.sha256().hexdigest()
        node = self.open[-1]
        for left in reversed(self.open[:-1]):
            node = hashlib.sha256(b"\1" + left + node).digest()
        return node.hex()


NUMBER = "(0|[1-9][0-9]{0,15})"
HASH = "([0-9a-f]{64})"
HEAD = re.compile(
    f"candor head 1\nn {NUMBER}\nat {NUMBER}\nseq {NUMBER}\nepoch {NUMBER}\nhash {HASH}\nlog {HASH}\n"
    f"receipts {NUMBER} {HASH}\nliabilities {NUMBER} {HASH}\nkey {NUMBER}\n"
)


class Wrong(Exception):
    pass


def need(is_right, why):
    if not is_right:
        raise Wrong(why)


def is_hex(value, size):
    return isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{size * 2}}}", value) is not None


def is_number(value, wanted):
    # Python takes true for 1, and 1.0 as well.
    return type(value) is int and value == wanted


def take_keys(keys, given):
    need(isinstance(given, list) and len(given) >= len(keys), "lists fewer keys than before")
    for index, one in enumerate(given):
        is_key = isinstance(one, dict) and list(one) == ["key", "publicKey", "signature"] and is_number(one["key"], index + 1)
        need(is_key and is_hex(one["publicKey"], 32), "has a key that is none")
        if index < len(keys):
            need(one == keys[index], f"has another key {index + 1} than before")
            continue
        text = f"candor head key 1\n{index + 1}\n{one['publicKey']}"
        is_first = index == 0 and one["signature"] is None
        is_next = index > 0 and is_hex(one["signature"], 64) and is_signed(keys[-1]["publicKey"], text, one["signature"])
        need(is_first or is_next, f"has a key {index + 1} that the one before did not announce")
        keys.append(one)


def take_head(keys, tree, last, value):
    found = HEAD.fullmatch(value["text"]) if isinstance(value["text"], str) else None
    need(found is not None, "has no head")
    groups = [int(one) if len(one) < 64 else one for one in found.groups()]
    n, at, seq, epoch, _, log, receipts, _, liabilities, _, key = groups
    need(max(n, at, seq, epoch, receipts, liabilities, key) < 2**53 and is_number(value["n"], n) and n == tree.size + 1, f"has head {n} in place of head {tree.size + 1}")
    need(log == tree.root(), f"has a head {n} that does not follow from those before it")
    need(last is None or (seq >= last[0] and at >= last[1]), f"has a head {n} that goes back")
    is_known = 1 <= key <= len(keys) and is_hex(value["signature"], 64)
    need(is_known and is_signed(keys[key - 1]["publicKey"], value["text"], value["signature"]), f"has a head {n} that is not signed by its key")
    tree.add(value["text"].encode())
    return seq, at


def check(path):
    """What is to be said of a file. Raises Wrong with its first fault."""
    keys, tree, last = [], Tree(), None
    with open(path, encoding="ascii", newline="") as file:
        for number, line in enumerate(file, 1):
            try:
                need(line.endswith("\n"), "does not end")
                value = json.loads(line)
                is_same = json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n" == line
                need(isinstance(value, dict) and is_same, "is not written as the exchange writes it")
                if list(value) == ["keys"]:
                    take_keys(keys, value["keys"])
                else:
                    need(list(value) == ["n", "text", "signature"], "has neither keys nor a head")
                    last = take_head(keys, tree, last, value)
            except (Wrong, ValueError) as wrong:
                raise Wrong(f"line {number} {wrong}") from wrong
    need(last is not None, "there is no head")
    return f"{tree.size} heads up to command {last[0]}, each signed and following from those before; first key {keys[0]['publicKey']}"


def main(paths):
    are_right = True
    for path in paths:
        try:
            print(f"{path}: {check(path)}")
        except (Wrong, ValueError) as wrong:
            are_right = False
            print(f"{path}: wrong: {wrong}")
    return 0 if are_right and paths else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
