"""Text that can be shown: nothing invisible, and nothing that changes the order of characters."""

# Characters that a browser hides, or that change the order of others, are shown as their control picture or
# code point: C0 and C1 controls, zero-width and direction marks, line separators, fillers and tags.
HIDDEN = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"} | {0x7F: "\u2421"}
for first, last in (
    (0x80, 0x9F),
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xD800, 0xDFFF),  # halves of a character, which no file can hold
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFB),
    (0xE0000, 0xE007F),
):
    HIDDEN |= {code: f"\\u{code:04x}" for code in range(first, last + 1)}


def visible(text: str) -> str:
    """Return `text` with every character that would be invisible or change the others made visible."""
    return text.translate(HIDDEN)
