"""Files of ``compress`` made from scratch: the plain algorithm, with codes of up to
``most`` bits, and one clear code in front of each of the offsets in ``clears``."""

from __future__ import annotations

from collections.abc import Container

_CLEAR = 256


def compressed(data: bytes, most: int = 16, clears: Container[int] = ()) -> bytes:
    """The bytes of such a file."""
    out = bytearray(b"\x1f\x9d" + bytes([0x80 | most]))
    group: list[int] = []
    codes, width = {bytes([one]): one for one in range(256)}, 9
    free, phrase = _CLEAR + 1, b""

    def put(code: int) -> None:
        group.append(code)
        if len(group) == 8:
            flush()

    def flush() -> None:
        """A group always has the room of eight codes, but at the end of the file."""
        bits = sum(code << nth * width for nth, code in enumerate(group))
        out.extend(bits.to_bytes(width, "little"))
        group.clear()

    for at, byte in enumerate(data):
        if at and at in clears:
            put(codes[phrase])
            put(_CLEAR)
            flush() if group else None
            codes, width = {bytes([one]): one for one in range(256)}, 9
            free, phrase = _CLEAR + 1, b""
        longer = phrase + bytes([byte])
        if longer in codes:
            phrase = longer
            continue
        put(codes[phrase])
        if free < 1 << most:
            codes[longer] = free
            free += 1
            if free > 1 << width and width < most:
                flush() if group else None
                width += 1
        phrase = bytes([byte])
    if phrase:
        put(codes[phrase])
    if group:
        bits = sum(code << nth * width for nth, code in enumerate(group))
        out.extend(bits.to_bytes(-(-len(group) * width // 8), "little"))
    return bytes(out)
