"""Arrays of numbers of the library, and tables for notebooks."""
from __future__ import annotations

import ctypes
import html
from collections.abc import Sequence
from typing import Any

import numpy as np


def copied(address: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """A copy of memory of the library."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if size == 0:
        return np.empty(shape, dtype)
    pointer = ctypes.cast(address, ctypes.c_void_p).value
    assert pointer is not None
    return np.frombuffer((ctypes.c_char * size).from_address(pointer), dtype).reshape(shape).copy()


def fixed(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def number_of(values: Any, width: int, dimension: int) -> Any:
    """A float, a vector or a tensor."""
    if width == 1:
        return float(values[0])
    numbers = np.array(values[:width])
    return fixed(numbers.reshape(dimension, dimension) if width == dimension * dimension else numbers)


def html_table(rows: Sequence[Sequence[Any]]) -> str:
    """Rows of texts; the first has the headings."""
    parts = []
    for n, row in enumerate(rows):
        tag = "th" if n == 0 else "td"
        parts.append("<tr>%s</tr>" % "".join("<%s>%s</%s>" % (tag, html.escape(str(cell)), tag) for cell in row))
    return "<table>%s</table>" % "".join(parts)


def pandas_module() -> Any:
    from carom.converters import needed
    return needed("pandas")
