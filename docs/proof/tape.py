#!/usr/bin/env python3
"""Checks pieces of the index tape (tape.ndjson) with nothing but Python's standard library.

    python3 tape.py FILE...

The format is described in docs/spec/option.md. Several pieces may follow one another in a file. Prints a line for each file, and exits with 1
if one of them is wrong. The names of venues and markets in the first line are in no hash, so they are not checked.
"""
import hashlib
import json
import re
import struct
import sys

GENESIS, SAFE, FAR, QUOTES_MAX, FORMAT_2 = bytes(32), 2**53, 2**46, 8, 65_536


class Wrong(Exception):
    pass


def need(is_right, why):
    if not is_right:
        raise Wrong(why)


def has(value, names):
    return isinstance(value, dict) and list(value) == names.split()


def is_hash(value):
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_whole(value):
    # Python takes true for 1.
    return type(value) is int and abs(value) < SAFE


def number_of(text):
    need(isinstance(text, str) and re.fullmatch("0|-?[1-9][0-9]{0,15}", text) is not None, "has a price that is none")
    need(is_whole(int(text)), "has a price that is none")
    return int(text)


def slots_of(tick):
    """The numbers of a tick in the order in which they are hashed."""
    need(has(tick, "tick at hash format prices") and tick["format"] in (1, 2) and type(tick["format"]) is int, "has no tick")
    is_2, prices = tick["format"] == 2, tick["prices"]
    need(is_hash(tick["hash"]) and isinstance(prices, list), "has no tick")
    slots = [tick["tick"], tick["at"], len(prices) + (FORMAT_2 if is_2 else 0)]
    for one in prices:
        has_shift = is_2 and isinstance(one, dict) and bool(one.get("quotes"))
        need(has(one, "market price sources isGood quotes" + (" shift" if has_shift else "")), "has a price that is none")
        need(isinstance(one["quotes"], list) and len(one["quotes"]) <= QUOTES_MAX and type(one["isGood"]) is bool, "has a price that is none")
        price = number_of(one["price"])
        slots += [one["market"], price, one["sources"], int(one["isGood"]), len(one["quotes"])]
        for quote in one["quotes"]:
            need(has(quote, "venue price" + (" correction" if is_2 else "")), "has a quote that is none")
            far = number_of(quote["price"]) - price
            need(is_whole(quote["venue"]) and 0 <= quote["venue"] < 32 and abs(far) < FAR, "has a quote that is none")
            slots += [(far + FAR) * 32 + quote["venue"]] + ([quote["correction"]] if is_2 else [])
        slots += ([one["shift"]] if has_shift else [0]) if is_2 else []
    need(all(is_whole(slot) for slot in slots), "has a number that is none")
    return slots


def check(path):
    """What is to be said of a file. Raises Wrong with its first fault."""
    before, first, last, newest = None, None, None, None
    with open(path, encoding="ascii", newline="") as file:
        for count, line in enumerate(file, 1):
            try:
                value = json.loads(line)
                # The last line may lack its line feed.
                need(json.dumps(value, separators=(",", ":"), ensure_ascii=False) == line.removesuffix("\n"), "is not written as the exchange writes it")
                if has(value, "venues markets before head"):
                    newest = value["head"]
                    need(is_hash(value["before"]) and has(newest, "tick hash") and is_whole(newest["tick"]) and is_hash(newest["hash"]), "has no beginning")
                    need(before in (None, bytes.fromhex(value["before"])), "does not continue the ticks before")
                    before = bytes.fromhex(value["before"])
                    continue
                need(before is not None, "has no beginning of a tape")
                slots = slots_of(value)
                n, at = slots[:2]
                need(last is None or (n == last["tick"] + 1 and at >= last["at"]), f"has tick {n} out of order")
                before, genesis = hashlib.sha256(before + struct.pack(f"<{len(slots)}d", *slots)).digest(), before == GENESIS
                need(genesis == (n == 1) and before.hex() == value["hash"], f"has a tick {n} that does not follow from the hash before it")
                is_new = n < newest["tick"] or (n == newest["tick"] and value["hash"] == newest["hash"])
                need(is_new, f"has another tick {n} than its first line says")
                first, last = first or value, value
            except (Wrong, ValueError, RecursionError) as wrong:
                raise Wrong(f"line {count} {wrong}") from wrong
    need(last is not None, "there is no tick")
    return f"ticks {first['tick']} to {last['tick']}, each following from the one before; last hash {last['hash']}"


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
