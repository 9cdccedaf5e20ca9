#!/usr/bin/env python3
"""`grade watch` through a pseudo-terminal, on two lessons of this checkout in a scratch copy.

    watch_session.py GRADE [--transcript FILE]

Saves files as editors do, types keys, resizes the window, and looks at what a person would see.
"""

import contextlib
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
GRADE = pathlib.Path(sys.argv[1]).resolve()
TRANSCRIPT = sys.argv[sys.argv.index("--transcript") + 1] if "--transcript" in sys.argv else None
PATIENCE = 120  # seconds, on a busy machine
VERDICT = re.compile(r"(PASS|FAIL|DOES NOT COMPILE|CRASHED|TIMED OUT)  ")

failures = []


def check(condition, what, detail=""):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}", file=sys.stderr)
        for line in detail.splitlines()[-30:]:
            print(f"    | {line}", file=sys.stderr)


def scratch_course(folder):
    """Two lessons, the rest of the workbook beside them, and the built tree."""
    (folder / "lessons").mkdir()
    shutil.copy(ROOT / "lessons/course.json", folder / "lessons")
    for lesson in ("001_matmul_nn", "002_matmul_nt"):
        target = folder / "lessons" / lesson
        shutil.copytree(ROOT / "lessons" / lesson, target, ignore=shutil.ignore_patterns("kernel.cu"))
    (folder / "common").mkdir()
    shutil.copytree(ROOT / "common/moe", folder / "common/moe")
    for name in ("solutions", "build", "docs", "tools", "grader", "common/simt"):
        (folder / name).symlink_to(ROOT / name)
    return folder


class Screen:
    """As much of a terminal as the tool needs: lines, carriage return, erase below."""

    def __init__(self):
        self.lines = [""]
        self.row = 0
        self.column = 0

    def feed(self, text):
        at = 0
        while at < len(text):
            c = text[at]
            at += 1
            if c == "\x1b":
                rest = text[at:]
                if found := re.match(r"\[([0-9;?]*)([@-~])", rest):
                    if found[2] == "J":
                        self.lines[self.row] = self.lines[self.row][: self.column]
                        del self.lines[self.row + 1 :]
                elif not (found := re.match(r"\][^\x1b\x07]*(\x1b\\|\x07)", rest)):
                    found = re.match(r".", rest)
                at += found.end() if found else 0
            elif c == "\r":
                self.column = 0
            elif c == "\n":
                self.row += 1
                while self.row >= len(self.lines):
                    self.lines.append("")
            else:
                line = self.lines[self.row].ljust(self.column)
                self.lines[self.row] = line[: self.column] + c + line[self.column + 1 :]
                self.column += 1

    def last(self):
        filled = [line for line in self.lines if line.strip()]
        return filled[-1].rstrip() if filled else ""

    def text(self):
        return "\n".join(line.rstrip() for line in self.lines)


class Watch:
    """`grade watch` on a terminal of its own."""

    def __init__(self, root, arguments, columns=80, shell=False, **environment):
        self.raw = ""
        self.screen = Screen()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(root)
            if shell:
                options = ["--norc", "--noprofile", "--noediting", "-i"]
                os.execve("/bin/bash", ["bash", *options], settings(root, PS1="shell> ", **environment))
            os.execve(GRADE, ["grade", "watch", *arguments], settings(root, **environment))
        self.resize(columns)
        self.modes = termios.tcgetattr(self.terminal)

    def resize(self, columns, rows=40):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds=0.02):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.terminal], [], [], left)[0]:
                break
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                return False
            text = data.decode("utf-8", "replace")
            self.raw += text
            self.screen.feed(text)
        return True

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            alive = self.read()
            if condition():
                return True
            if not alive:
                break
        check(False, what, self.screen.text())
        return False

    def shown(self):
        return re.sub(r"\x1b\[[0-9;?]*[@-~]|\x1b\][^\x1b\x07]*(\x1b\\|\x07)", "", self.raw)

    def verdicts(self):
        return VERDICT.findall(self.shown())

    def at_rest(self):
        return re.match(r"\d{3} (passed|failed|no compile|crashed|timed out|not graded)", self.screen.last())

    def wait_until_seen(self, before, what):
        """Until a save is seen, or graded already if this test was held up; the seconds that took."""
        start = time.monotonic()
        self.wait(lambda: not self.at_rest() or len(self.verdicts()) > before, f"{what} is seen")
        return time.monotonic() - start

    def expect_verdict(self, verdict, before, what):
        """Exactly one more than `before`, and it is this one."""
        self.wait(lambda: len(self.verdicts()) > before and self.at_rest(), what)
        self.read(0.7)  # a second one would come now
        got = self.verdicts()[before:]
        check(got == [verdict], f"{what}: {got} instead of one {verdict}", self.screen.text())

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def end(self):
        """Its wait status."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.read(0.1)
                return status
        os.kill(self.pid, signal.SIGKILL)
        check(False, "it does not end", self.screen.text())
        return os.waitpid(self.pid, 0)[1]


def settings(root, **more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GRADE_") and k not in ("COLUMNS", "NO_COLOR")}
    kept.update(GRADE_ROOT=str(root), TERM="xterm-256color", PAGER="cat", LC_ALL="C.UTF-8")
    kept.update(more)
    return kept


def left_behind(root):
    """Processes that still speak of the scratch course."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                command = (entry / "cmdline").read_bytes()
                if str(root).encode() in command:
                    found.append(command.replace(b"\0", b" ").decode())
    return found


def check_end(watch, root, expected_signal, what):
    status = watch.end()
    if expected_signal:
        check(os.WIFSIGNALED(status) and os.WTERMSIG(status) == expected_signal, f"{what}: ends with {status}")
    else:
        check(os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, f"{what}: ends with {status}", watch.screen.text())
    check(termios.tcgetattr(watch.terminal) == watch.modes, f"{what}: the terminal's modes are not as they were")
    check(watch.screen.column == 0, f"{what}: the shell's prompt would not start on a fresh line")
    time.sleep(0.2)
    check(not left_behind(root), f"{what}: processes are left", "\n".join(left_behind(root)))
    scratch = root / ".grade/scratch"
    check(not scratch.exists() or not any(scratch.iterdir()), f"{what}: scratch folders are left")
    os.close(watch.terminal)


REFERENCE = (ROOT / "solutions/001_matmul_nn/kernel.cu").read_text()


def kernel(version, right=True):
    text = REFERENCE if right else REFERENCE.replace("sum += ", "sum -= ", 1)
    assert right or text != REFERENCE
    return text + f"// version {version}\n"


def endless(version):
    return re.sub(r"(void matmul_nn\([^{]*\{)", r"\1\n  for (volatile int i = 0;;) (void)i;", kernel(version))


def save_in_place(path, text):
    path.write_text(text)


def save_by_truncation(path, text):
    """As slow editors do: the file is empty, then half there, then whole."""
    with path.open("w") as file:
        time.sleep(0.03)
        file.write(text[: len(text) // 2])
        file.flush()
        time.sleep(0.03)
        file.write(text[len(text) // 2 :])


def save_by_rename(path, text):
    new = path.with_name(".kernel.cu.new")
    new.write_text(text)
    new.rename(path)


def save_by_swap(path, text):
    """The old file becomes a backup, and a new one takes its place."""
    path.rename(path.with_name("kernel.cu~"))
    time.sleep(0.05)
    path.write_text(text)


def on_a_terminal(root):
    path = root / "lessons/001_matmul_nn/kernel.cu"
    path.write_text(kernel(0, right=False))
    # A run that does not end must not do so while keys are typed, however slow the machine is.
    watch = Watch(root, ["1", "--timeout", "600"])
    watch.expect_verdict("FAIL", 0, "the first verdict")
    check("q quit" in watch.screen.last() and "n next" in watch.screen.last(), "the prompt is the last line", watch.screen.text())
    check(len(watch.screen.last()) < 80, "the prompt fits", watch.screen.last())

    # n before a pass asks.
    watch.type("n")
    watch.wait(lambda: "has not passed yet" in watch.screen.text(), "n before a pass")
    watch.type("h")
    watch.wait(lambda: "Hint " in watch.screen.text(), "h shows a hint")
    watch.wait(watch.at_rest, "the prompt after the hint")

    # Each way to save is seen once, and soon.
    seen_after = []
    version = 0
    for save in (save_in_place, save_by_truncation, save_by_rename, save_by_swap):
        version += 1
        right = version % 2 == 1
        before = len(watch.verdicts())
        watch.read(0.1)
        save(path, kernel(version, right))
        seen_after.append(watch.wait_until_seen(before, save.__name__))
        watch.expect_verdict("PASS" if right else "FAIL", before, save.__name__)
    # The quickest counts, of some more on a machine that is busy.
    while min(seen_after) > 0.3 and len(seen_after) < 15:
        version += 1
        before = len(watch.verdicts())
        save_in_place(path, kernel(version))
        seen_after.append(watch.wait_until_seen(before, "a further save"))
        watch.expect_verdict("PASS", before, "a further save")
    check(min(seen_after) <= 0.3, f"saves are seen after {seen_after} s")
    print("saves seen after " + ", ".join(f"{each * 1000:.0f} ms" for each in seen_after))

    # The same content again is no save; several in a row end with the last one.
    before = len(watch.verdicts())
    save_by_rename(path, path.read_text())
    watch.read(1.0)
    check(len(watch.verdicts()) == before, "a save of the same content is graded", watch.screen.text())

    # Headers: its own, and those that all kernels share.
    header = path.with_name("mine.h")
    header.write_text("#define NOTHING 1\n")
    save_in_place(path, '#include "mine.h"\n' + kernel(10))
    watch.expect_verdict("PASS", before, "a kernel with a header")
    header.write_text("#define NOTHING 2\n")
    watch.expect_verdict("PASS", before + 1, "its header is saved")
    shared = root / "common/moe/include/moe/types.h"
    shared.write_text(shared.read_text() + "// changed\n")
    watch.expect_verdict("PASS", before + 2, "a shared header is saved")

    # Keys while a run goes on that does not end; a save ends it.
    before = len(watch.verdicts())
    save_in_place(path, endless(20))
    watch.wait(lambda: "case" in watch.screen.last() or "running" in watch.screen.last(), "a run goes on")
    watch.type("l")
    watch.wait(lambda: "matmul_nt" in watch.screen.text(), "l shows the list during a run")
    watch.wait(lambda: "q quit" in watch.screen.last(), "the prompt comes back")
    watch.type("h")
    watch.wait(lambda: watch.shown().count("Hint ") > 1, "h shows a hint during a run")
    save_in_place(path, kernel(21, right=False))
    watch.expect_verdict("FAIL", before, "a save during a run")

    # s shows the notes, d the difference; x asks, and resets.
    watch.type("d")
    watch.wait(lambda: "In kind they are the same: one call with M" in watch.shown(), "d shows what differs in kind")
    watch.wait(lambda: "-    sum -= " in watch.shown(), "d shows the text")
    watch.wait(watch.at_rest, "the prompt after the difference")
    watch.type("s")
    watch.wait(lambda: "Intuition" in watch.shown(), "s shows the notes")
    watch.wait(lambda: watch.at_rest(), "the prompt after the notes")
    before = len(watch.verdicts())
    watch.type("x")
    watch.wait(lambda: "by the stub? y n" in watch.screen.last(), "x asks")
    watch.type("n")
    watch.wait(lambda: "Nothing was changed." in watch.screen.text() and watch.at_rest(), "n leaves the question")
    check(path.read_text() == kernel(21, right=False), "n after x changed the kernel")
    watch.type("x")
    watch.wait(lambda: "by the stub? y n" in watch.screen.last(), "x asks again")
    watch.type("y")
    watch.wait(lambda: "is the stub again" in watch.screen.text(), "x resets")
    watch.wait(lambda: len(watch.verdicts()) > before and watch.at_rest(), "the stub is graded")

    # A narrow window: the letters of the keys stay.
    watch.resize(40)
    watch.wait(lambda: len(watch.screen.last()) < 40 and watch.screen.last().endswith("n h l s d x r q"), "40 columns")
    before = len(watch.verdicts())
    start_of_narrow = len(watch.screen.lines)
    save_in_place(path, kernel(30))
    watch.expect_verdict("PASS", before, "a save in a narrow window")
    wide = [line for line in watch.screen.lines[start_of_narrow:] if len(line.rstrip()) > 40]
    check(not wide, "a line wider than the window", "\n".join(wide))
    watch.resize(80)

    # A pass waits for n.
    watch.wait(lambda: "n next" in watch.screen.last(), "80 columns again")
    check(watch.screen.last().startswith("001 passed"), "a pass waits", watch.screen.last())
    watch.type("n")
    watch.wait(lambda: watch.screen.last().startswith("002") and watch.at_rest(), "n goes on")

    # A question does not hold q up.
    second = root / "lessons/002_matmul_nt/kernel.cu"
    work = second.read_text() + "// some work\n"
    save_in_place(second, work)
    watch.read(1.0)
    watch.wait(watch.at_rest, "some work is graded")
    watch.type("x")
    watch.wait(lambda: "by the stub? y n" in watch.screen.last(), "x asks in 002")
    watch.type("q")
    check_end(watch, root, 0, "q")
    check(second.read_text() == work, "q after x changed the kernel")
    if TRANSCRIPT:
        pathlib.Path(TRANSCRIPT).write_text(watch.screen.text() + "\n")


def interrupted(root):
    """Ctrl-C while a run goes on."""
    path = root / "lessons/001_matmul_nn/kernel.cu"
    path.write_text(endless(40))
    watch = Watch(root, ["001", "--timeout", "600"])
    watch.wait(lambda: "case" in watch.screen.last() or "running" in watch.screen.last(), "the run goes on")
    watch.type("\x03")
    check_end(watch, root, signal.SIGINT, "Ctrl-C")


def suspended(root):
    """Ctrl-Z and fg, in a shell."""
    (root / "lessons/001_matmul_nn/kernel.cu").write_text(kernel(45, right=False))
    watch = Watch(root, [], shell=True)
    watch.wait(lambda: "shell>" in watch.screen.last(), "a shell")
    watch.type(f"'{GRADE}' watch 1\n")
    watch.expect_verdict("FAIL", 0, "in a shell")
    watch.type("\x1a")
    watch.wait(lambda: "Stopped" in watch.screen.text() and "shell>" in watch.screen.last(), "Ctrl-Z")
    watch.type("echo typed-and-echoed\n")
    watch.wait(lambda: watch.screen.text().count("typed-and-echoed") == 2, "the shell echoes what is typed")
    watch.type("fg\n")
    watch.wait(watch.at_rest, "fg")
    watch.type("q")
    watch.wait(lambda: "shell>" in watch.screen.last(), "q after fg")
    watch.type("exit 0\n")
    status = watch.end()
    check(status == 0, f"the shell ends with {status}")
    os.close(watch.terminal)


def children(pid):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, IndexError):
            if entry.name.isdigit() and int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) == pid:
                found.append(int(entry.name))
    return found


def command_stopped(root):
    """The command behind a key is stopped: it keeps the terminal until it has ended."""
    (root / "lessons/001_matmul_nn/kernel.cu").write_text(kernel(47, right=False))
    watch = Watch(root, ["1"], PAGER="sleep 1; cat")
    watch.expect_verdict("FAIL", 0, "before a key")
    watch.type("s")
    end = time.monotonic() + PATIENCE
    while not children(watch.pid) and time.monotonic() < end:
        watch.read()
    command = children(watch.pid)
    check(len(command) == 1, f"s runs {len(command)} commands")
    if command:
        os.kill(command[0], signal.SIGSTOP)
        watch.read(1.5)
        check("q quit" not in watch.screen.last(), "the prompt is back while the command is stopped", watch.screen.text())
        os.kill(command[0], signal.SIGCONT)
    watch.wait(lambda: "Intuition" in watch.shown() and watch.at_rest(), "the command goes on, and then the prompt")
    watch.type("q")
    check_end(watch, root, 0, "q after a stopped command")


def replaced(root):
    """What is no file stands in the kernel's place for a while."""
    path = root / "lessons/001_matmul_nn/kernel.cu"
    path.write_text(kernel(48, right=False))
    watch = Watch(root, ["1"])
    watch.expect_verdict("FAIL", 0, "before the file is replaced")
    path.unlink()
    path.mkdir()
    watch.wait(lambda: "not graded" in watch.screen.last(), "a folder in the kernel's place")
    path.rmdir()
    save_in_place(path, kernel(49))
    watch.expect_verdict("PASS", 1, "a file again")
    watch.type("q")
    check_end(watch, root, 0, "q after a folder")


def dumb(root):
    path = root / "lessons/001_matmul_nn/kernel.cu"
    path.write_text(kernel(50, right=False))
    watch = Watch(root, ["matmul_nn"], columns=40, TERM="dumb")
    watch.expect_verdict("FAIL", 0, "TERM=dumb")
    save_by_rename(path, kernel(51))
    watch.expect_verdict("PASS", 1, "TERM=dumb, a save")
    watch.type("l")
    watch.wait(lambda: "002" in watch.screen.text(), "TERM=dumb, l")
    watch.wait(lambda: watch.screen.last().endswith("n h l s d x r q"), "TERM=dumb, the prompt")
    check("\x1b" not in watch.raw, "an escape byte on a dumb terminal")
    watch.type("\x04")
    check_end(watch, root, 0, "TERM=dumb, Ctrl-D")


def without_a_terminal(root):
    path = root / "lessons/001_matmul_nn/kernel.cu"
    path.write_text(kernel(60, right=False))
    output = root / "output"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [GRADE, "watch", "1"], cwd=root, env=settings(root), stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT
        )
    try:

        def wait_for(count, what):
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                if len(VERDICT.findall(output.read_text())) >= count:
                    return
                time.sleep(0.05)
            check(False, what, output.read_text())

        wait_for(1, "without a terminal")
        save_by_swap(path, kernel(61))
        wait_for(2, "without a terminal, a save")
        time.sleep(0.5)
        check(VERDICT.findall(output.read_text()) == ["FAIL", "PASS"], "without a terminal, verdicts", output.read_text())
        check("\x1b" not in output.read_text() and "\r" not in output.read_text(), "an escape byte in a pipe")
    finally:
        process.send_signal(signal.SIGTERM)
        check(process.wait(PATIENCE) == -signal.SIGTERM, "SIGTERM ends it")
    time.sleep(0.2)
    check(not left_behind(root), "without a terminal: processes are left", "\n".join(left_behind(root)))


def behind_another_build(root):
    """A command that waits for another build says so, where nobody sees a status line, too."""
    with (ROOT / "build/cpu/.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = subprocess.Popen(
            [GRADE, "1", "--solution"], cwd=root, env=settings(root), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        said = process.stderr.readline().decode()
        check("waiting for another build" in said, "waiting is silent", said)
        check(process.poll() is None, "it did not wait")
    check(process.wait(PATIENCE) == 0, "it does not go on")
    process.stderr.close()


def main():
    with tempfile.TemporaryDirectory(prefix="grade-watch-") as folder:
        root = scratch_course(pathlib.Path(folder).resolve())
        for part in (on_a_terminal, interrupted, suspended, command_stopped, replaced, dumb, without_a_terminal, behind_another_build):
            start = time.monotonic()
            part(root)
            print(f"{part.__name__}: {time.monotonic() - start:.1f} s")
    if failures:
        print(f"{len(failures)} failures", file=sys.stderr)
        return 1
    print("watch behaves")
    return 0


if __name__ == "__main__":
    sys.exit(main())
