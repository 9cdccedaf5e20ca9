"""What a GPU machine is, and what its clocks do while something is timed. What cannot be asked is left out."""

import re
import shutil
import statistics
import subprocess
import tempfile

FIELDS = ("name", "driver_version", "memory.total", "compute_cap", "clocks.max.sm", "clocks.max.memory", "power.limit",
          "ecc.mode.current")


def output_of(*command):
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def smi():
    return shutil.which("nvidia-smi") or shutil.which("nvidia-smi", path="/usr/local/nvidia/bin:/usr/lib/wsl/lib")


def describe():
    about = {}
    program = smi()
    lines = program and output_of(program, f"--query-gpu={','.join(FIELDS)}", "--format=csv,noheader").splitlines()
    for field, value in zip(FIELDS, [part.strip() for part in lines[0].split(",")] if lines else []):
        if value and "N/A" not in value:
            about[field] = value
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    release = re.search(r"V(\d+\.\d+\.\d+)", output_of(nvcc, "--version"))
    if release:
        about["toolkit"] = release[1]
    return about


class Clocks:
    """Asks for the clocks twice a second, from a process of its own, while the block runs."""

    def __enter__(self):
        self._file = tempfile.TemporaryFile(mode="w+")
        self._process = None
        if smi():
            command = [smi(), "--query-gpu=utilization.gpu,clocks.sm,clocks.mem,temperature.gpu",
                       "--format=csv,noheader,nounits", "-lms", "500"]
            self._process = subprocess.Popen(command, stdout=self._file, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
        self._file.seek(0)
        self.text = self._file.read()
        self._file.close()

    def summary(self):
        return summary_of(self.text)


def summary_of(text):
    """Of the samples taken while the GPU was busy: lowest, median and highest clock in MHz, highest temperature."""
    busy = []
    for line in text.splitlines():
        values = re.findall(r"\d+", line)
        if len(values) == 4 and int(values[0]) >= 50:
            busy.append([int(value) for value in values[1:]])
    if not busy:
        return {}
    sm, memory, temperature = zip(*busy)
    return {"samples": len(busy), "sm_lowest": min(sm), "sm_median": statistics.median(sm), "sm_highest": max(sm),
            "memory_median": statistics.median(memory), "temperature_highest": max(temperature)}
