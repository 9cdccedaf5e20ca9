"""What the hostile tests share: a small workbook to spoil, the tool run in it, and the processes that it leaves."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = ("CMakeLists.txt", "CMakePresets.json", "cmake", "common", "docs", "grader", "tools")
LESSONS = ("001_matmul_nn", "002_matmul_nt")
REFERENCE = (ROOT / "solutions" / LESSONS[0] / "kernel.cu").read_text()
STATUS = {0: "passed", 1: "failed", 2: "usage", 3: "compile_error", 4: "crashed", 5: "unavailable"}


def processes():
    """pid -> (parent, state, program, command line) of every process that can be seen."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            stat = pathlib.Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()
            command = pathlib.Path("/proc", entry, "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (OSError, IndexError):
            continue
        try:
            program = os.readlink(f"/proc/{entry}/exe")
        except OSError:  # of another user, or of one that lets nobody look
            program = command.split(" ")[0]
        found[int(entry)] = (int(stat[1]), stat[0], program, command.strip())
    return found


def stalled_seconds():
    """For how long, at most, a program can have been kept waiting for a processor since the machine began. None: not known.

    The kernel's number is a mean over the processors.
    """
    try:
        some = pathlib.Path("/proc/pressure/cpu").read_text().splitlines()[0]
    except OSError:
        return None
    return os.cpu_count() * int(some.rsplit("total=", 1)[1]) / 1e6


def family(pid):
    """The processes below `pid`, itself included, that are not dead."""
    everything = processes()
    below, grew = {pid}, True
    while grew:
        more = {each for each, (parent, *_) in everything.items() if parent in below} - below
        grew = bool(more)
        below |= more
    return {each: everything[each] for each in below if each in everything and everything[each][1] not in "ZX"}


def wait_until_gone(pids, seconds):
    """Those of `pids` that are still there after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        alive = {pid for pid in pids if is_alive(pid)}
        if not alive or time.monotonic() > end:
            return alive
        time.sleep(0.01)


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


class Result:
    def __init__(self, done, seconds):
        self.code = done.returncode
        self.status = STATUS.get(done.returncode, f"code {done.returncode}")
        self.out = done.stdout.decode(errors="replace")
        self.err = done.stderr.decode(errors="replace")
        self.text = self.out + self.err
        # As one line, so that a test need not know where it was wrapped.
        self.flat = " ".join(self.text.split())
        self.seconds = seconds


class Workbook:
    """A workbook with two lessons in a folder whose name has a space and letters beyond ASCII.

    The lessons are copies, the rest are links to the tree of this test.
    """

    def __init__(self, tool, folder=None, build=None):
        self.tool = str(tool)
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="grade-unlucky-"))
        self.root = pathlib.Path(folder) if folder else self.base / "Kurs für GPU ✓"
        (self.root / "lessons").mkdir(parents=True, exist_ok=True)
        for name in ("course.json", "micro_batch.json"):
            shutil.copy(ROOT / "lessons" / name, self.root / "lessons")
        for lesson in LESSONS:
            folder = self.root / "lessons" / lesson
            folder.mkdir(exist_ok=True)
            for name in ("lesson.md", "stub.cu", "grader.cpp"):
                shutil.copy(ROOT / "lessons" / lesson / name, folder)
            (self.root / "solutions" / lesson).mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "solutions" / lesson / "kernel.cu", self.root / "solutions" / lesson)
        for name in SHARED:
            (self.root / name).symlink_to(ROOT / name)
        real_build = pathlib.Path(self.tool).resolve().parents[1]
        if build == "cpu only":
            (self.root / "build").mkdir()
            (self.root / "build" / "cpu").symlink_to(real_build)
        else:
            (self.root / "build").symlink_to(real_build.parent)
        self.kernel = self.root / "lessons" / LESSONS[0] / "kernel.cu"
        self.stub = self.root / "lessons" / LESSONS[0] / "stub.cu"
        self.progress = self.root / "progress.json"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.base, ignore_errors=True)

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GRADE_")}
        kept.update({"GRADE_ROOT": str(self.root), **more})
        return {name: value for name, value in kept.items() if value is not None}

    def start(self, *arguments, **more):
        return subprocess.Popen([self.tool, *arguments], cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=self.environment(**more), start_new_session=True)

    def grade(self, *arguments, timeout=120, wrapper=(), **more):
        start = time.monotonic()
        try:
            done = subprocess.run([*wrapper, self.tool, *arguments], cwd=self.root, stdin=subprocess.DEVNULL,
                                  capture_output=True, env=self.environment(**more), timeout=timeout)
        except subprocess.TimeoutExpired as error:
            done = subprocess.CompletedProcess(error.cmd, -1, error.stdout or b"", (error.stderr or b"") + b" did not end")
        return Result(done, time.monotonic() - start)


def in_own_mounts():
    """The words before a command that give it mounts of its own, or nothing where that is not allowed."""
    for words in (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]):
        probe = [*words, "sh", "-c", "mount -t tmpfs none /mnt"]
        try:
            if subprocess.run(probe, capture_output=True).returncode == 0:
                return words
        except OSError:
            return None
    return None


def kill(pid, how=signal.SIGKILL):
    try:
        os.kill(pid, how)
    except ProcessLookupError:
        pass
