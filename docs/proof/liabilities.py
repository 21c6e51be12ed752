#!/usr/bin/env python3
"""Checks proofs of liabilities with nothing but Python's standard library, and verify.py beside this file.

    python3 liabilities.py FILE...

The formats are described in docs/spec/proof.md. Prints a line for each file, and exits with 1 if one of them is wrong.
"""
import hashlib
import json
import re
import sys

from verify import HASH, HEAD, NUMBER, TIME_MAX, Wrong, is_hex, is_number, is_signed, need, take_keys

TREE = f"tree ([A-Z0-9]{{1,20}}) (claims|debts) ([0-9]|1[0-9]) {NUMBER} {NUMBER} {HASH}\n"
STATEMENT = re.compile(f"candor liabilities 1\nn {NUMBER}\nat {NUMBER}\nseq {NUMBER}\n((?:{TREE})*)")
SUM_MAX = 2**52


def sha256(data):
    return hashlib.sha256(data).digest()


def has_fields(value, names):
    return isinstance(value, dict) and list(value) == names.split(",")


def is_sum(value):
    # Python takes true for 1.
    return type(value) is int and 0 <= value <= SUM_MAX


def read_statement(text):
    """Number, time, position and trees, by asset and kind: scale, size, sum, root."""
    found = STATEMENT.fullmatch(text) if isinstance(text, str) else None
    need(found is not None, "has no statement of liabilities")
    n, at, seq = [int(one) for one in found.groups()[:3]]
    need(1 <= n and max(n, at, seq) < 2**53 and at <= TIME_MAX, "has no statement of liabilities")
    trees, last = {}, None
    for asset, kind, scale, size, total, root in re.findall(TREE, found.group(4)):
        size, total = int(size), int(total)
        need(last is None or last < (asset, kind), "has trees out of order")
        need(size.bit_count() == 1 and size <= 2**40 and total <= SUM_MAX, "has a tree that is none")
        last = (asset, kind)
        trees[last] = int(scale), size, total, root
    return n, at, seq, trees


def root_of(leaf, index, path):
    """Root and sum that a leaf leads to. A node hashes both sums, so no sum below it can be another."""
    total, node = leaf
    for step in path:
        need(has_fields(step, "sum,hash") and is_sum(step["sum"]) and is_hex(step["hash"], 32), "has a path that is none")
        mine, other = total.to_bytes(8, "big") + node, step["sum"].to_bytes(8, "big") + bytes.fromhex(step["hash"])
        total += step["sum"]
        need(total <= SUM_MAX, "has a sum that is too large")
        node = sha256(b"\3" + (mine + other if index % 2 == 0 else other + mine))
        index //= 2
    return node.hex(), total


def own_part(uid, asset, kind, tree, leaves):
    """Sum of all leaves of the customer in a tree, in its smallest unit."""
    _, size, total, root = tree
    need(isinstance(leaves, list) and leaves, "has a tree without leaves")
    places, own = set(), 0
    for split, leaf in enumerate(leaves):
        need(has_fields(leaf, "split,index,nonce,amount,path") and is_number(leaf["split"], split), f"lacks leaf {split} of {asset} {kind}")
        index, amount, path = leaf["index"], leaf["amount"], leaf["path"]
        need(is_sum(index) and index < size and is_hex(leaf["nonce"], 16) and is_sum(amount), "has a leaf that is none")
        need(isinstance(path, list) and 2 ** len(path) == size, "has a path of another length")
        owner = sha256(f"{uid} {asset} {kind} {split}".encode())
        node = sha256(b"\2" + bytes.fromhex(leaf["nonce"]) + owner + amount.to_bytes(8, "big"))
        need(root_of((amount, node), index, path) == (root, total), f"has a leaf {split} that is not in {asset} {kind}")
        need(index not in places, f"counts a leaf of {asset} {kind} twice")
        places.add(index)
        own += amount
    need(own <= total, f"has more of {asset} {kind} than its tree")
    return own


def decimal(units, scale):
    digits = str(units).rjust(scale + 1, "0")
    return f"{digits[: len(digits) - scale]}.{digits[len(digits) - scale :]}" if scale > 0 else digits


def check(path):
    """What is to be said of a file. Raises Wrong with its first fault."""
    with open(path, encoding="ascii", newline="") as file:
        text = file.read()
    value = json.loads(text)
    need(json.dumps(value, separators=(",", ":"), ensure_ascii=False) == text.removesuffix("\n"), "is not written as the exchange writes it")
    need(has_fields(value, "uid,statement,head,keys,trees"), "is no proof of liabilities")
    uid, head = value["uid"], value["head"]
    need(isinstance(uid, str) and re.fullmatch("[1-9][0-9]{0,15}", uid) is not None, "names no customer")
    n, at, seq, trees = read_statement(value["statement"])
    need(has_fields(head, "n,text,signature") and isinstance(head["text"], str), "has no head")
    found = HEAD.fullmatch(head["text"])
    need(found is not None, "has no head")
    numbers = [int(one) for one in found.groups() if len(one) < 64]
    number, head_at, head_seq, _, _, named, key = numbers
    need(max(numbers) < 2**53 and head_at <= TIME_MAX and number >= 1 and is_number(head["n"], number), "has no head")
    need(named == n and found.groups()[9] == sha256(value["statement"].encode()).hex(), "has a head that names another statement")
    need(seq <= head_seq and at <= head_at, "has a head that is older than the statement")
    need(isinstance(value["trees"], list), "has no list of trees")
    own, last = [], None
    for tree in value["trees"]:
        name = (tree["asset"], tree["kind"]) if has_fields(tree, "asset,kind,leaves") else None
        need(all(isinstance(one, str) for one in name or [None]) and name in trees, "has a tree that is not in the statement")
        need(last is None or last < name, "has trees out of order")
        last = name
        own.append((name, own_part(uid, *name, trees[name], tree["leaves"])))
    keys = []
    take_keys(keys, value["keys"])
    need(1 <= key <= len(keys) and is_hex(head["signature"], 64), "has no key for its head")
    need(is_signed(keys[key - 1]["publicKey"], head["text"], head["signature"]), "has a head that is not signed by its key")
    parts = [f"{decimal(amount, trees[name][0])} {' '.join(name)}" for name, amount in own]
    return f"customer {uid} has {', '.join(parts) or 'nothing'} in statement {n}, up to command {seq}; first key {keys[0]['publicKey']}"


def main(paths):
    are_right = True
    for path in paths:
        try:
            print(f"{path}: {check(path)}")
        except (Wrong, ValueError, RecursionError) as wrong:
            are_right = False
            print(f"{path}: wrong: {wrong}")
    return 0 if are_right and paths else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
