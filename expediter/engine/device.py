"""Where the models run and in which number format: chosen by what the machine is good at, overridable by the caller."""

import ctypes
import os
import platform
from dataclasses import dataclass

import torch

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
LARGE = 50_000_000  # parameters from which on multiplying them is most of a step


@dataclass(frozen=True, slots=True)
class Place:
    """A device and a dtype."""

    device: torch.device
    dtype: torch.dtype

    @property
    def name(self) -> str:
        """The dtype as people write it."""
        return str(self.dtype).removeprefix("torch.")

    def __str__(self) -> str:
        if self.device.type == "cpu":
            threads = torch.get_num_threads()
            return f"{self.name} · CPU, {threads} thread{'s' if threads > 1 else ''}"
        if self.device.type == "cuda":
            return f"{self.name} · {torch.cuda.get_device_name(self.device)}"
        return f"{self.name} · {self.device.type.upper()} of this {platform.machine()} machine"

    def synchronize(self) -> None:
        """Wait until the device has done all that was asked of it, so that a clock read next is honest."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        elif self.device.type == "mps":
            torch.mps.synchronize()


def choose(device: str | None = None, dtype: str | None = None, numbers: int = 0) -> Place:
    """CUDA, else MPS, else CPU; bfloat16 for a large model where the machine multiplies it, else float32, unless told otherwise:
    by the caller, else by EXPEDITER_DEVICE and EXPEDITER_DTYPE.

    numbers: parameters of the larger model. Measured on one AVX512-BF16 core with 135 million, a forward of 1, 8 and 64 tokens takes 1.0,
    0.62 and 0.57 of its time in float32; a pocket model is all overhead and gains nothing.
    Raises ValueError for a device that is not there or a dtype that is not offered.
    """
    device, dtype = device or os.environ.get("EXPEDITER_DEVICE"), dtype or os.environ.get("EXPEDITER_DTYPE")
    here = ["cuda"] * torch.cuda.is_available() + ["mps"] * torch.backends.mps.is_available() + ["cpu"]
    device = device or here[0]
    if device.partition(":")[0] not in here:
        raise ValueError(f"The device {device!r} was asked for, but torch finds only {' and '.join(here)} here: ask for {here[-1]}.")
    if dtype and dtype not in DTYPES:
        raise ValueError(f"The dtype {dtype!r} is not offered: choose one of {', '.join(DTYPES)}.")
    usual = "bfloat16" if numbers >= LARGE and multiplies_short(device) else "float32"
    return Place(torch.device(device), DTYPES[dtype or usual])


def multiplies_short(device: str) -> bool:
    """Whether this device has instructions of its own for bfloat16; elsewhere it is slower than float32."""
    if device.startswith("cuda"):
        return torch.cuda.is_bf16_supported(including_emulation=False)
    found = (getattr(torch.cpu, name, None) for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"))
    return device == "cpu" and any(has() for has in found if has)


def short(place: Place) -> torch.dtype | None:
    """The number format for a draft's products where it can be a quicker one than the target's; None where it cannot.

    A draft's rounding changes what is guessed now and then, never what is right. Whoever names a format gets no other.
    """
    if os.environ.get("EXPEDITER_DTYPE"):
        return None
    return torch.bfloat16 if place.dtype == torch.float32 and multiplies_short(place.device.type) else None


def release() -> None:
    """Give memory that was freed back to the system: allocators of devices and of C keep it otherwise, for the next time."""
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)
