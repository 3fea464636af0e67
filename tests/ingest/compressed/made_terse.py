"""Tersed files made from scratch: encoders of PACK and SPACK, slow and plain.

What a phrase is, and when one is forgotten, is as the format says; which of the known
phrases is taken is the encoder's choice: here the longest.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Sequence

Symbols = tuple[int, ...]  # a byte plus one each; 257 ends a record
FIRST, ALL = 258, 4096


def tersed_file(records: Sequence[bytes], method: int, variable: bool = True) -> bytes:
    """A host file of AMATERSE: 2 is PACK, 5 is SPACK."""
    symbols: list[int] = []
    for record in records:
        symbols += [byte + 1 for byte in record] + [257] * variable
    codes = {2: packed, 5: spacked}[method](tuple(symbols))
    longest = max(map(len, records), default=1) + 4
    return struct.pack(">BBHBBHI", method, variable, 0, 4, 1, 0, longest) + words(codes)


def words(codes: Iterable[int]) -> bytes:
    """Codes of 12 bits with the zero that ends them, in blocks of 1,024 bytes."""
    bits = "".join(f"{code:012b}" for code in (*codes, 0))
    made = int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2)
    raw = made.to_bytes(-(-len(bits) // 8), "big")
    return raw.ljust(-(-len(raw) // 1024) * 1024, b"\0")


def packed(symbols: Symbols) -> list[int]:
    """The codes of PACK."""
    parent = {node: node - 1 if node > FIRST else 0x41 for node in range(FIRST, ALL)}
    letter = dict.fromkeys(parent, 0x41)
    child = {(parent[node], letter[node]): node for node in parent}
    order = sorted(parent, reverse=True)  # the least recently used one first
    codes, at = [], 0
    while at < len(symbols):
        new = order.pop(0)
        if child.get((parent[new], letter[new])) == new:
            del child[parent[new], letter[new]]
        code, path, at = symbols[at], [], at + 1
        while at < len(symbols) and (code, symbols[at]) in child:
            code, at = child[code, symbols[at]], at + 1
        codes.append(code)
        if at < len(symbols):
            parent[new], letter[new] = code, symbols[at]
            child[code, symbols[at]] = new
        while code >= FIRST:
            path.append(code)
            code = parent[code]
        order = [node for node in order if node not in path] + [new, *path]
    return codes


def spacked(symbols: Symbols) -> list[int]:
    """The codes of SPACK."""
    phrase: dict[int, Symbols] = {code: (code,) for code in range(1, FIRST)}
    begun = {code: [code] for code in phrase}  # the phrases with each first symbol
    parts: dict[int, tuple[int, int]] = {}
    owners: Counter[int] = Counter()
    free, unused = list(range(FIRST, ALL)), dict[int, None]()
    codes, at, last = [], 0, 0
    while at < len(symbols):
        if last and not free:
            gone = next(iter(unused))
            del unused[gone]
            begun[phrase.pop(gone)[0]].remove(gone)
            of = parts.pop(gone)
            owners.subtract(of)
            kept = [part for part in of if part >= FIRST and not owners[part]]
            unused |= dict.fromkeys(kept)
            free.append(gone)
        known = (c for c in begun[symbols[at]]
                 if symbols[at : at + len(phrase[c])] == phrase[c])  # fmt: skip
        code = max(known, key=lambda c: len(phrase[c]))
        codes.append(code)
        at += len(phrase[code])
        if last:
            node = free.pop(0)
            phrase[node], parts[node] = phrase[last] + phrase[code], (last, code)
            begun[phrase[node][0]].append(node)
            owners.update(parts[node])
            for part in parts[node]:
                unused.pop(part, None)
            unused[node] = None
        last = code
    return codes
