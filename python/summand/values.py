# SPDX-License-Identifier: Apache-2.0
"""Values of choices: any hashable to the user, words to the engine and to the database.

A word stands for itself; a number, a truth value and None are written as JSON writes them, so that they come back from a
stored study and reach programs without quotes; anything else is written as its ``repr``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from .checks import shown, text
from .errors import InvalidArgument

__all__ = ["Translation", "literals_of", "value_of", "words_of"]


def _is_literal(value: object) -> bool:
    return value is None or isinstance(value, (bool, int, float))


def _plain(value: object) -> object:
    """NumPy's numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def _word(value: object) -> str:
    if isinstance(value, str):
        return value
    plain = _plain(value)
    return json.dumps(plain) if _is_literal(plain) else repr(value)


def words_of(name: str, values: Sequence[Any]) -> list[str]:
    """The words of a choice's values; refuses two that would be written alike."""
    words: dict[str, Any] = {}
    for value in values:
        if not isinstance(value, Hashable):
            raise InvalidArgument(
                f'SearchSpace: choice "{name}" holds {shown(value)}, which is not hashable; give its name as a word instead'
            )
        word = text(f'SearchSpace: choice "{name}"', "a value", _word(value))
        if word in words and words[word] is not value and type(words[word]) is not type(value):
            raise InvalidArgument(
                f'SearchSpace: choice "{name}" holds {shown(words[word])} and {shown(value)}, which would be stored alike '
                f'("{word}"); leave one of them out'
            )
        words.setdefault(word, value)
    return [_word(value) for value in values]  # a value that is listed twice is the engine's to refuse


def literals_of(values: Sequence[Any]) -> list[str]:
    """The words among a choice's that stand for numbers, truth values and None."""
    return [_word(value) for value in values if _is_literal(_plain(value))]


def value_of(word: str, literals: Collection[str]) -> Hashable:
    """Back from a word: what JSON reads, if it is one of the literals."""
    value: Hashable = json.loads(word) if word in literals else word
    return value


class Translation:
    """Between a user's points and the engine's, where choices have values that are no words."""

    def __init__(self, choices: Mapping[str, Sequence[Any]]) -> None:
        self._values: dict[str, dict[str, Any]] = {}
        self._words: dict[str, dict[Any, str]] = {}
        for name, values in choices.items():
            if any(type(value) is not str for value in values):
                self._values[name] = {_word(value): value for value in values}
                equal = {value: _word(value) for value in reversed(values)}  # 1 == True: the first of them
                self._words[name] = {**equal, **{(type(value), value): _word(value) for value in values}}

    def to_words(self, point: Mapping[str, Any]) -> dict[str, Any]:
        words = dict(point)
        for name, known in self._words.items():
            if name not in words:
                continue
            value = words[name]
            try:
                words[name] = known.get((type(value), value)) or known[value]
            except (KeyError, TypeError):
                allowed = ", ".join(repr(each) for each in self._values[name].values())
                raise InvalidArgument(f'parameter "{name}" was given {shown(value)}; allowed is one of {allowed}') from None
        return words

    def to_values(self, point: dict[str, Any]) -> dict[str, Any]:
        """Changes the point itself, which nobody else has."""
        for name, values in self._values.items():
            point[name] = values[point[name]]
        return point

    def axis(self, name: str, words: list[Any]) -> list[Any]:
        values = self._values.get(name)
        return words if values is None else [values[word] for word in words]
