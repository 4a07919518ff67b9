"""Typing mistakes: the word that was probably meant, and whether another one could be.

Messages show what is probable. Only what is certain is written into a file (`fixes.py`). Among thousands of words many
are similar, so that there the letters are counted in which two of them differ.
"""

from collections.abc import Iterable

CERTAIN = 0.8
"""The similarity (difflib's ratio) of a word with several mistakes, from which the word is still certain if no other is
similar."""

LEAST_WORD = 3
"""Shorter words have too many neighbours to be typing mistakes of one of them."""

MOST_LETTERS = 2
"""How many letters of two words may have no counterpart if one is the other, misspelt: a wrong letter is two."""

LEAST_LETTERS = 5
"""In shorter words one such letter is the most: `nosmp` and `nosmt` are two arguments."""


def suggestion(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known word that was probably meant, or "" if none is similar enough to be a typing mistake.

    Another number is another thing, not a mistake: an unknown model, host or code must not become an existing one. So
    the digits must be equal, and the letters, by themselves, similar. The cut-off is difflib's own for close matches,
    0.6: lower values suggest words that share a few letters only.
    """
    candidates = {_letters(name): name for name in sorted(known) if _digits(name) == _digits(word)}
    return candidates.get(nearest(_letters(word), candidates, cutoff), "")


def nearest(word: str, known: Iterable[str], cutoff: float = CERTAIN) -> str:
    """The known word that is most similar, or "" if none has this similarity: difflib's ratio, from 0 to 1."""
    from difflib import get_close_matches  # only needed when something is wrong

    return next(iter(get_close_matches(word, known, 1, cutoff)), "")


def nearest_by_letters(word: str, known: Iterable[str], most: int = MOST_LETTERS) -> str:
    """The known word that has the fewest letters without a counterpart in this one, and at `most` as many; "" if
    none has. Another number is another thing, not a mistake.
    """
    letters, candidates = set(word), []
    for name in known if any(c.isalpha() for c in word) else ():
        few = most if len(name) > LEAST_LETTERS else 1
        if abs(len(name) - len(word)) > few or len(letters ^ set(name)) > few:
            continue  # most names differ as much as that, and it is seen at once
        if _digits(name) == _digits(word) and 0 < (apart := _letters_apart(word, name)) <= few:
            candidates.append((apart, name))
    return min(candidates)[1] if candidates else ""


def _letters_apart(word: str, name: str) -> int:
    """How many letters of two words have no counterpart in the other, in their order."""
    from difflib import SequenceMatcher

    blocks = SequenceMatcher(None, word, name, autojunk=False).get_matching_blocks()
    return len(word) + len(name) - 2 * sum(block.size for block in blocks)


def slip(word: str, known: Iterable[str]) -> str:
    """The known word of which this one is a typing mistake, if that is certain: "" if another could be meant.

    It is the only one that is similar at all, and very similar, or the only one that is a single mistake away.
    """
    known = sorted(known)
    near = suggestion(word, known, CERTAIN)
    if near and not suggestion(word, [name for name in known if name != near]):
        return near
    single = [name for name in known if _digits(name) == _digits(word) and _is_single(word, name)]
    return single[0] if len(single) == 1 else ""


def _is_single(word: str, name: str) -> bool:
    """Whether one letter more, less or else, or two exchanged ones, are all the difference between two words."""
    shorter, longer = sorted((_letters(word), _letters(name)), key=len)
    if len(longer) - len(shorter) > 1 or len(shorter) < LEAST_WORD:
        return False
    start = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    left, right = shorter[start:], longer[start:]
    exchanged = left[1::-1] + left[2:] == right
    return (left[1:] if len(shorter) == len(longer) else left) == right[1:] or exchanged


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalpha())
