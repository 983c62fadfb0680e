"""Arrays of numbers of the library, and tables for notebooks."""
from __future__ import annotations

import ctypes
import html
from collections.abc import Sequence
from typing import Any

import numpy as np

from carom import _declarations as declarations

#: Types of the elements of arrays of the library.
TYPES = {declarations.CAROM_U8: np.dtype("|u1"), declarations.CAROM_I32: np.dtype("<i4"), declarations.CAROM_U32: np.dtype("<u4"),
         declarations.CAROM_I64: np.dtype("<i8"), declarations.CAROM_U64: np.dtype("<u8"), declarations.CAROM_F64: np.dtype("<f8")}


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


def shape_of(width: int, dimension: int) -> tuple[int, ...]:
    """Shape of a quantity of `width` numbers: a number, a tensor or a vector."""
    if width == 1:
        return ()
    return (dimension, dimension) if width == dimension * dimension else (width,)


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
