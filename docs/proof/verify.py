#!/usr/bin/env python3
"""Checks files of signed heads (heads.ndjson) and of receipts (receipts.ndjson) with nothing but Python's standard library.

    python3 verify.py FILE...

The formats are described in docs/spec/proof.md. A file of heads must begin with head 1. Prints a line for each file, and exits with 1 if one
of them is wrong. ed25519.py must be in the same folder.
"""
import hashlib
import json
import re
import sys

sys.dont_write_bytecode = True
from ed25519 import is_signed, is_weak


def hash_of(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


class Tree:
    """A tree of RFC 6962 that grows by a leaf at a time: only its complete subtrees are kept."""

    def __init__(self):
        self.size, self.open = 0, []

    def add(self, data):
        node, n = hash_of(b"\0", data), self.size
        while n % 2 == 1:
            node, n = hash_of(b"\1", self.open.pop(), node), n // 2
        self.open.append(node)
        self.size += 1

    def root(self):
        if not self.open:
            return hash_of().hex()
        node = self.open[-1]
        for left in reversed(self.open[:-1]):
            node = hash_of(b"\1", left, node)
        return node.hex()


def root_of(node, index, size, path):
    """The root that a leaf and its path lead to; None when no tree of this size has such a path at this index."""
    sides, start, end = [], 0, size
    while end - start > 1:
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        sides.append(index < middle)
        start, end = (start, middle) if index < middle else (middle, end)
    if len(path) != len(sides):
        return None
    for is_left, other in zip(reversed(sides), path):
        node = hash_of(b"\1", node, other) if is_left else hash_of(b"\1", other, node)
    return node.hex()


NUMBER = "(0|[1-9][0-9]{0,15})"
HASH = "([0-9a-f]{64})"
HEAD = re.compile(
    f"candor head 1\nn {NUMBER}\nat {NUMBER}\nseq {NUMBER}\nepoch {NUMBER}\nhash {HASH}\nlog {HASH}\n"
    f"receipts {NUMBER} {HASH}\nliabilities {NUMBER} {HASH}\nkey {NUMBER}\n"
)
# The last millisecond that a date can have, and how many keys and how many objects in one another are accepted.
TIME_MAX, KEYS_MAX, LEVELS_MAX = 8_640_000_000_000_000, 200, 8
LINE = r" [a-z]+(?:\.[a-zA-Z]+)? \{[ -~]*\}\n"
RECEIPT = re.compile(f"candor receipt 1\nseq ([1-9][0-9]{{0,15}})\nat {NUMBER}\nuser ([1-9][0-9]{{8}})\n(?!$)(?:command{LINE})?(?:event{LINE})*")


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
    need(isinstance(given, list) and len(keys) <= len(given) <= KEYS_MAX, "lists fewer keys than before, or too many")
    for index, one in enumerate(given):
        is_key = isinstance(one, dict) and list(one) == ["key", "publicKey", "signature"] and is_number(one["key"], index + 1)
        need(is_key and is_hex(one["publicKey"], 32) and not is_weak(one["publicKey"]), "has a key that is none")
        if index < len(keys):
            need(one == keys[index], f"has another key {index + 1} than before")
            continue
        text = f"candor head key 1\n{index + 1}\n{one['publicKey']}"
        is_first = index == 0 and one["signature"] is None
        is_next = index > 0 and is_hex(one["signature"], 64) and is_signed(keys[-1]["publicKey"], text, one["signature"])
        need(is_first or is_next, f"has a key {index + 1} that the one before did not announce")
        keys.append(one)


def read_head(keys, value):
    """Numbers and hashes of a head that its key signed."""
    need(isinstance(value, dict) and list(value) == ["n", "text", "signature"], "has neither keys nor a head")
    found = HEAD.fullmatch(value["text"]) if isinstance(value["text"], str) else None
    need(found is not None, "has no head")
    n, at, seq, epoch, _, log, size, root, liabilities, _, key = [int(one) if len(one) < 64 else one for one in found.groups()]
    need(1 <= n and max(n, at, seq, epoch, size, liabilities, key) < 2**53 and at <= TIME_MAX and is_number(value["n"], n), "has no head")
    is_known = 1 <= key <= len(keys) and is_hex(value["signature"], 64)
    need(is_known and is_signed(keys[key - 1]["publicKey"], value["text"], value["signature"]), f"has a head {n} that is not signed by its key")
    return n, at, seq, log, size, root


def take_head(keys, tree, last, value):
    n, at, seq, log, _, _ = read_head(keys, value)
    need(n == tree.size + 1, f"has head {n} in place of head {tree.size + 1}")
    need(log == tree.root(), f"has a head {n} that does not follow from those before it")
    need(last is None or (seq >= last[0] and at >= last[1]), f"has a head {n} that goes back")
    tree.add(value["text"].encode())
    return seq, at


def is_fact(value, level=1):
    if isinstance(value, (dict, list)) and level > LEVELS_MAX:
        return False
    if isinstance(value, dict):
        return all(re.fullmatch("[a-z][a-zA-Z0-9]*", name) and is_fact(one, level + 1) for name, one in value.items())
    if isinstance(value, list):
        return all(is_fact(one, level + 1) for one in value)
    is_text = isinstance(value, str) and re.fullmatch("[ -~]*", value) is not None
    return is_text or isinstance(value, bool) or (type(value) is int and abs(value) < 2**53)


def take_receipt(keys, heads, seqs, value):
    need(list(value) == ["text", "salt", "index", "path", "head", "keys"], "has no receipt")
    text, path, own = value["text"], value["path"], []
    found = RECEIPT.fullmatch(text) if isinstance(text, str) else None
    need(found is not None and int(found[1]) < 2**53 and int(found[2]) <= TIME_MAX, "has no receipt")
    for line in text.splitlines()[4:]:
        json_text = line.split(" ", 2)[2]
        facts = json.loads(json_text)
        need(is_fact(facts) and json.dumps(facts, sort_keys=True, separators=(",", ":")) == json_text, "has no receipt")
    take_keys(own, value["keys"])
    n, _, seq, _, size, root = read_head(own, value["head"])
    need(not keys or own[0] == keys[0], "has another first key than the lines before")
    need(heads.setdefault(n, value["head"]["text"]) == value["head"]["text"], f"has another head {n} than a line before")
    need(int(found[1]) <= seq, "is later than its head")
    need(seqs.get(found[3], 0) < int(found[1]), f"has the receipt of command {found[1]} out of order")
    are_hashes = is_hex(value["salt"], 32) and isinstance(path, list) and all(is_hex(one, 32) for one in path)
    need(are_hashes and type(value["index"]) is int and 0 <= value["index"] < size, "is not in the tree that its head names")
    leaf = hash_of(b"\0", bytes.fromhex(value["salt"]), text.encode())
    need(root_of(leaf, value["index"], size, [bytes.fromhex(one) for one in path]) == root, "is not in the tree that its head names")
    keys[:], seqs[found[3]] = own, int(found[1])


def check(path):
    """What is to be said of a file. Raises Wrong with its first fault."""
    keys, tree, last, heads, seqs, has_receipts = [], Tree(), None, {}, {}, False
    with open(path, encoding="ascii", newline="") as file:
        for number, line in enumerate(file, 1):
            try:
                value = json.loads(line)
                # The last line may lack its line feed.
                is_same = json.dumps(value, separators=(",", ":"), ensure_ascii=False) == line.removesuffix("\n")
                need(isinstance(value, dict) and is_same, "is not written as the exchange writes it")
                has_receipts = has_receipts or (number == 1 and "salt" in value)
                if has_receipts:
                    take_receipt(keys, heads, seqs, value)
                elif list(value) == ["keys"]:
                    take_keys(keys, value["keys"])
                else:
                    last = take_head(keys, tree, last, value)
            except (Wrong, ValueError, RecursionError) as wrong:
                raise Wrong(f"line {number} {wrong}") from wrong
    if has_receipts:
        return f"{number} receipts, each in the tree of a signed head; first key {keys[0]['publicKey']}"
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
