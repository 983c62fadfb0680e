"""The memory of the frames of a simulation."""
from __future__ import annotations

import ctypes

from carom import _declarations as declarations
from carom._library import check, lib
from carom.frame import FrameHandle


class FramePool:
    """Frames of one simulation that are no longer used: their memory serves the next frames."""

    _KEPT = 2

    def __init__(self) -> None:
        self._free: list[int] = []
        self._closed = False

    def take(self, sim: ctypes.c_void_p) -> FrameHandle:
        address = ctypes.c_void_p(self._free.pop() if self._free else None)
        status = lib.carom_sim_take(sim, ctypes.byref(address))
        if address.value and status != declarations.CAROM_OK:
            lib.carom_frame_free(address)
        check(status, lib.carom_sim_message(sim))
        assert address.value is not None
        return FrameHandle(address.value, self.release)

    def release(self, address: int) -> None:
        if self._closed or len(self._free) >= self._KEPT:
            lib.carom_frame_free(address)
        else:
            self._free.append(address)

    def close(self) -> None:
        self._closed = True
        while self._free:
            lib.carom_frame_free(self._free.pop())
