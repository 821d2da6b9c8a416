"""Gives each of many things a place of its own so that the sum of costs is least, and says how sure each choice is."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


class Assignment:
    """The cheapest assignment of N rows to M ≥ N columns of `costs` (N, M); `columns` (N,) says which is whose.

    Shortest augmenting paths with potentials (Jonker and Volgenant, 1987), O(N² M). Raises ValueError where rows
    outnumber columns or costs are not finite.
    """

    def __init__(self, costs: NDArray[np.float64]) -> None:
        rows, columns = costs.shape
        if rows > columns or not np.all(np.isfinite(costs)):
            raise ValueError(f"{rows} rows cannot be assigned to {columns} columns, or a cost is not finite")
        # rows that cost nothing anywhere make it square: only then do the potentials hold when a row is taken out
        self._costs = np.concatenate([np.asarray(costs, np.float64), np.zeros((columns - rows, columns))])
        self._rows_potential = np.zeros(columns)
        self._columns_potential = np.zeros(columns)
        self._row_of = np.full(columns, -1, np.intp)
        for row in range(columns):
            self._augment(row, self._costs[row], self._row_of, self._rows_potential, self._columns_potential)
        self.columns = np.asarray(np.argsort(self._row_of)[:rows], np.intp)

    @property
    def cost(self) -> float:
        """The sum of the costs chosen."""
        return float(self._costs[self._row_of, np.arange(len(self._row_of))].sum())

    def regret(self, row: int, forbidden: Iterable[int]) -> float:
        """How much more the cheapest assignment costs in which `row` has none of the `forbidden` columns.

        0 for a toss-up, inf where it has no other column.
        """
        costs = self._costs[row].copy()
        costs[list(forbidden)] = np.inf
        if not np.any(np.isfinite(costs)):
            return float("inf")
        row_of, rows, columns = self._row_of.copy(), self._rows_potential.copy(), self._columns_potential.copy()
        row_of[self.columns[row]] = -1
        rows[row] = 0.0
        self._augment(row, costs, row_of, rows, columns)
        every = np.arange(len(row_of))
        chosen = np.where(row_of == row, costs, self._costs[row_of, every])
        return max(0.0, float(chosen.sum()) - self.cost)

    def _augment(
        self,
        row: int,
        costs: NDArray[np.float64],
        row_of: NDArray[np.intp],
        rows: NDArray[np.float64],
        columns: NDArray[np.float64],
    ) -> None:
        """Gives `row`, whose costs are `costs` (M,), a column along the cheapest path; all arrays are changed."""
        shortest = np.full(len(columns), np.inf)
        came_from = np.full(len(columns), -1, np.intp)
        done = np.zeros(len(columns), np.bool_)
        current, at, length = row, -1, 0.0
        while True:
            own = costs if current == row else self._costs[current]
            through = length + own - rows[current] - columns
            better = ~done & (through < shortest)
            shortest[better] = through[better]
            came_from[better] = at
            at = int(np.where(done, np.inf, shortest).argmin())
            length = float(shortest[at])
            done[at] = True
            if row_of[at] < 0:
                break
            current = int(row_of[at])
        reached = np.flatnonzero(done)
        rows[row] += length
        for column in reached.tolist():
            if row_of[column] >= 0:
                rows[row_of[column]] += length - shortest[column]
            columns[column] -= length - shortest[column]
        while at >= 0:
            before = int(came_from[at])
            row_of[at] = row if before < 0 else row_of[before]
            at = before
