"""Observables: quantities with their standard errors, and their tables."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from carom import _declarations as declarations
from carom._arrays import copied, fixed, html_table, pandas_module, shape_of
from carom._library import check, decoded, lib
from carom.errors import DataError

if TYPE_CHECKING:
    from carom.results import Result


class Value:
    """A quantity that an observable has measured, with its standard error.

    Attributes
    ----------
    name, units : str
        Name; kind of the unit in words, as "energy / volume" ("" for pure numbers).
    mean, error : float or ndarray, (dimension,) or (dimension, dimension)
        Mean and standard error of the mean; nan if there are too few samples.
    converged : bool
        Whether the error is reliable: the samples exceed their correlation time.
    """

    __slots__ = ("name", "units", "mean", "error", "converged")

    def __init__(self, name: str, units: str, mean: Any, error: Any, converged: bool) -> None:
        self.name = name
        self.units = units
        self.mean = mean
        self.error = error
        self.converged = converged

    def __repr__(self) -> str:
        note = "" if self.converged else ", not converged"
        return "<carom.Value %s: %s +- %s%s>" % (self.name, self.mean, self.error, note)


class Table(Mapping):
    """A table of an observable: its columns by name, as arrays with one row for each sample, lag or bin.

    Attributes
    ----------
    name : str
    series : bool
        Whether it has one row for each sample.
    units : dict
        Kind of the unit of each column.

    Notes
    -----
    Columns of vectors have the shape (rows, dimension), those of tensors (rows, dimension, dimension). The first column
    is the abscissa.
    """

    def __init__(self, name: str, series: bool, columns: dict[str, np.ndarray], units: dict[str, str]) -> None:
        self.name = name
        self.series = series
        self.units = units
        self._columns = columns

    def __getitem__(self, column: str) -> np.ndarray:
        try:
            return self._columns[column]
        except KeyError:
            raise KeyError("the table '%s' has no column '%s'; it has %s"
                           % (self.name, column, ", ".join(self._columns))) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Number of columns."""
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def to_pandas(self) -> Any:
        """A pandas DataFrame. Components of vectors and tensors are columns of their own: `stress_0`, `stress_1`, ..."""
        return pandas_module().DataFrame(_flat(self._columns))

    def __repr__(self) -> str:
        return "<carom.Table %s: %d rows of %s>" % (self.name, self.rows, ", ".join(self._columns))


def _flat(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    flat: dict[str, np.ndarray] = {}
    for name, data in columns.items():
        if data.ndim == 1:
            flat[name] = data
            continue
        wide = data.reshape(len(data), -1)
        flat.update(("%s_%d" % (name, k), wide[:, k]) for k in range(wide.shape[1]))
    return flat


def values_of(given: Any, dimension: int) -> dict[str, Value]:
    """The values of an observable of the library by name, copied."""
    def number(numbers: Any, width: int) -> Any:
        return float(numbers[0]) if width == 1 else fixed(np.array(numbers[:width]).reshape(shape_of(width, dimension)))

    values = (given.values[n] for n in range(given.value_count))
    return {decoded(v.name): Value(decoded(v.name), decoded(v.unit), number(v.mean, v.width), number(v.error, v.width),
                                   bool(v.converged)) for v in values}


def tables_of(given: Any, dimension: int) -> dict[str, Table]:
    """The tables of an observable of the library by name, copied."""
    def table(t: Any) -> Table:
        columns = [t.columns[n] for n in range(t.column_count)]
        return Table(decoded(t.name), bool(t.series),
                     {decoded(c.name): fixed(copied(c.data, (t.rows, *shape_of(c.width, dimension)), np.float64))
                      for c in columns}, {decoded(c.name): decoded(c.unit) for c in columns})

    tables = (table(given.tables[n]) for n in range(given.table_count))
    return {one.name: one for one in tables}


class Observable:
    """An observable of a result.

    Attributes
    ----------
    name, what : str
        Its key in the result; the observable, as in the scene.
    values : dict of Value
        All measured quantities by name; the first is the main one.

    Notes
    -----
    `mean`, `error`, `units` and `converged` are those of the main value. Tables are read when they are first used.
    """

    def __init__(self, result: "Result", index: int, given: Any) -> None:
        self._result = result
        self._index = index
        self._tables: dict[str, Table] | None = None
        self.name = decoded(given.name)
        self.what = decoded(given.what)
        self.values = values_of(given, result.dimension)

    @property
    def _main(self) -> Value:
        if not self.values:
            raise AttributeError("the observable '%s' has no mean: its numbers are in `tables`" % self.name)
        return next(iter(self.values.values()))

    @property
    def mean(self) -> Any:
        """Mean of the main value: float, vector or tensor."""
        return self._main.mean

    @property
    def error(self) -> Any:
        """Standard error of the mean."""
        return self._main.error

    @property
    def converged(self) -> bool:
        """Whether the error is reliable."""
        return self._main.converged

    @property
    def units(self) -> str:
        """Kind of the unit of the main value, as "energy / volume"."""
        return self._main.units

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by name; the first is the main one."""
        if self._tables is None:
            self._tables = self._result._tables_of(self._index)
        return self._tables

    @property
    def series(self) -> Table:
        """The table with one row for each sample.

        Raises
        ------
        AttributeError
            The observable has no series, but histograms or distributions, which are in `tables`.
        """
        for table in self.tables.values():
            if table.series:
                return table
        raise AttributeError("the observable '%s' has no series; its tables are %s"
                             % (self.name, ", ".join(self.tables) or "none"))

    def to_pandas(self) -> Any:
        """The main table as a pandas DataFrame."""
        tables = list(self.tables.values())
        if not tables:
            raise DataError("the observable '%s' has no table" % self.name)
        return tables[0].to_pandas()

    def __repr__(self) -> str:
        if not self.values:
            return "<carom.Observable %s>" % self.name
        return "<carom.Observable %s: %s +- %s>" % (self.name, self.mean, self.error)


class Observables(Mapping):
    """The observables of a result by name, in the order of the scene."""

    def __init__(self, result: "Result") -> None:
        self._all: dict[str, Observable] = {}
        for n in range(result._contents.observables):
            given = lib.carom_file_observable(result._address, n, False)
            if not given:
                check(declarations.CAROM_BAD_DATA, lib.carom_file_message(result._address))
            observable = Observable(result, n, given.contents)
            self._all[observable.name] = observable

    def __getitem__(self, name: str) -> Observable:
        try:
            return self._all[name]
        except KeyError:
            raise KeyError("the result has no observable '%s'; it has %s"
                           % (name, ", ".join(self._all) or "none")) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return "<carom.Observables: %s>" % (", ".join(self._all) or "none")

    def _repr_html_(self) -> str:
        cells = [(name, shown(o)) for name, o in self._all.items()]
        return html_table([("observable", "mean")] + cells)


def shown(observable: Observable) -> str:
    if not observable.values:
        return "tables"
    value = next(iter(observable.values.values()))
    if isinstance(value.mean, float):
        return "%.6g ± %.2g%s" % (value.mean, value.error, "" if value.converged else " (not converged)")
    return "array of shape %s" % (value.mean.shape,)
