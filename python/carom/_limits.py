"""The limits of a run that consists of parts."""
from __future__ import annotations

import math
import time
from typing import Any


class PartLimits:
    """Limits of each part of a run. Its wall time counts from the first part on.

    Parameters
    ----------
    limits : dict
        Of the whole run: `time`, `events`, `collisions`, `wall_s`.
    """

    def __init__(self, limits: dict[str, Any]) -> None:
        self.counted = {name: value for name, value in limits.items() if name != "wall_s"}
        self._deadline = time.monotonic() + limits.get("wall_s", math.inf)

    @property
    def passed(self) -> bool:
        """Whether the wall time is over."""
        return time.monotonic() >= self._deadline

    def next(self) -> dict[str, Any]:
        """Limits of the next part."""
        if self._deadline == math.inf:
            return dict(self.counted)
        return {**self.counted, "wall_s": max(self._deadline - time.monotonic(), 1e-6)}
