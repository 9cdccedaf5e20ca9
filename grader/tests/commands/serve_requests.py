"""Asks `grade serve` for what it gives and for what it must not give: serve_requests.py GRADE WORK"""

import atexit
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

grade, work = sys.argv[1], pathlib.Path(sys.argv[2])
course = work / "course"
failures = 0


def check(right, what):
    global failures
    if not right:
        failures += 1
        print("FAILED:", what, file=sys.stderr)


class Server:
    def __init__(self, *options):
        self.process = subprocess.Popen(
            [grade, "serve", *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        atexit.register(self.process.kill)
        self.text = ""
        for line in self.process.stdout:
            self.text += line
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", line)
            if found:
                break
        assert found, self.text
        self.port, self.token = int(found[1]), found[2]

    def raw(self, data, seconds=60.0):
        """The status, or None when the connection was closed without an answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as s:
            try:
                s.sendall(data)
            except OSError:
                pass
            answer = b""
            try:
                while part := s.recv(65536):
                    answer += part
            except OSError:
                pass
        found = re.match(rb"HTTP/1\.1 (\d+)", answer)
        return (int(found[1]) if found else None), answer

    def ask(self, method, path, headers=None, body=None, host=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": host or f"127.0.0.1:{self.port}", **(headers or {})}.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response, content

    def post(self, path, value, token=None, **headers):
        given = {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        if token is not None:
            given["X-Grade-Token"] = token
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        response, content = self.ask("POST", path, given, body)
        return response.status, content

    def end(self, by=signal.SIGINT):
        self.process.send_signal(by)
        begun = time.monotonic()
        code = self.process.wait(timeout=60)
        return code, time.monotonic() - begun


def progress():
    file = course / "progress.json"
    return json.loads(file.read_text()) if file.exists() else {"lessons": {}}


def lesson():
    return progress()["lessons"].get("001_add_one", {})


PATIENCE = 60  # seconds, on a busy machine
delays = []  # until each event was there


def wait_for(event, stream, seconds=PATIENCE):
    """Whether the stream brings the event in time."""
    begun = time.monotonic()
    until = begun + seconds
    text = b""
    while time.monotonic() < until:
        stream.settimeout(max(0.01, until - time.monotonic()))
        try:
            part = stream.recv(4096)
        except TimeoutError:
            break
        if not part:
            break
        text += part
        if event in text:
            delays.append(time.monotonic() - begun)
            return True
    return False


server = Server("--port", "0")
cookie = {"Cookie": f"grade-{server.port}={server.token}"}
token = server.token

# ---- Pages ----
response, page = server.ask("GET", "/", cookie)
check(response.status == 200, f"GET /: {response.status}")
check(token.encode() in page, "a page for who came by the printed address has the token")
policy = response.getheader("Content-Security-Policy")
check("default-src 'none'" in policy and "frame-ancestors 'none'" in policy, "the policy")
check(response.getheader("X-Content-Type-Options") == "nosniff", "nosniff")
check(response.getheader("Access-Control-Allow-Origin") is None, "no other origin is let in")
tag = response.getheader("ETag")
check(server.ask("GET", "/", {**cookie, "If-None-Match": tag})[0].status == 304, "304 when nothing changed")
response, page = server.ask("GET", "/")
check(response.status == 200 and token.encode() not in page, "the token for anybody who asks")
response, page = server.ask("GET", f"/?token={token}")
check(response.status == 303 and response.getheader("Location") == "/", "the printed address leads to /")
check("HttpOnly" in response.getheader("Set-Cookie") and "SameSite=Strict" in response.getheader("Set-Cookie"),
      "the cookie")
response, page = server.ask("GET", f"/?token={'0' * 32}")
check(response.status == 303 and response.getheader("Set-Cookie") is None, "a wrong token brings no cookie")
response, page = server.ask("HEAD", "/")
check(response.status == 200 and page == b"", "HEAD")
check(server.ask("GET", "/lessons/001_add_one.html")[0].status == 200, "a lesson's page")
check(server.ask("GET", "/", host=f"localhost:{server.port}")[0].status == 200, "localhost")

# ---- Nothing but pages ----
for path in (
        "/../course/progress.json", "/progress.json", "/.grade/serve-token", "/%2e%2e/course.json",
        "/..%2f..%2f..%2fetc/passwd", "/assets/../../lessons/course.json", "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%5c..%5cetc/passwd", "/%252e%252e/etc/passwd", "//etc/passwd", "/etc/passwd", "/lessons/",
        "/lessons/001_add_one/lesson.md", "/lessons/001_add_one/kernel.cu", "/lessons/../index.html", "/./index.html",
        "/index.html%00.css", "/index.html/", "/%c0%ae%c0%ae/etc/passwd", "/solutions/001_add_one/kernel.cu",
        "/file:///etc/passwd", "/" + "a" * 5000):
    response, content = server.ask("GET", path)
    check(response.status == 404, f"GET {path[:60]}: {response.status}")
    check(b"root:" not in content, f"GET {path[:60]} gave a file away")
for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
    check(server.ask(method, "/", cookie)[0].status in (400, 405), f"{method} is refused")

# ---- Other names, other pages ----
for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port + 1}",
             f"127.0.0.1:{server.port}.evil.example", f"[::1]:{server.port}"):
    check(server.ask("GET", "/", host=host)[0].status == 421, f"Host {host}")
status, _ = server.raw(b"GET / HTTP/1.1\r\n\r\n")
check(status == 421, f"no Host: {status}")
status, _ = server.raw(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nHost: evil.example\r\n\r\n".encode())
check(status == 421, f"two Hosts: {status}")
answer = {"lesson": "001_add_one", "question": "sum", "answer": "42"}
for origin in ("http://evil.example", "null", f"http://127.0.0.1:{server.port + 1}", f"https://127.0.0.1:{server.port}"):
    check(server.post("/answer", answer, token, Origin=origin)[0] == 403, f"Origin {origin}")
    check(server.ask("GET", "/", {"Origin": origin})[0].status == 403, f"GET from {origin}")
    check(server.ask("GET", "/events", {"Origin": origin})[0].status == 403, f"events for {origin}")

# ---- Nothing is recorded without the token ----
check(server.post("/answer", answer)[0] == 403, "no token")
check(server.post("/answer", answer, "")[0] == 403, "an empty token")
check(server.post("/answer", answer, "0" * 32)[0] == 403, "a wrong token")
check(server.post("/answer", answer, **cookie)[0] == 403, "the cookie alone, as a form from elsewhere would send")
check(server.post("/hint", {"lesson": "001_add_one", "rung": 1})[0] == 403, "a hint without a token")
check(server.post("/answer", answer, token, Content_Type="text/plain")[0] == 415, "not JSON by its type")
check(not (course / "progress.json").exists(), "something was recorded")

# ---- Bodies ----
for body in (b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"lesson": 1}', b'{"lesson": "001_add_one"}',
             b'{"lesson": "../../etc", "question": "sum", "answer": "42"}',
             b'{"lesson": "001_add_one", "question": "none", "answer": "42"}', b"[" * 10000):
    status, _ = server.post("/answer", body, token)
    check(status == 400, f"POST {body[:40]}: {status}")
    status, _ = server.post("/hint", body, token)
    check(status == 400, f"hint {body[:40]}: {status}")
for rung in (0, -1, 99, "1", 1.5, None):
    check(server.post("/hint", {"lesson": "001_add_one", "rung": rung}, token)[0] == 400, f"rung {rung}")
check(server.post("/elsewhere", answer, token)[0] == 404, "POST elsewhere")
head = (f"POST /answer HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Grade-Token: {token}\r\n"
        "Content-Type: application/json\r\n").encode()
huge = b"x" * (1 << 20)
for name, data, expected in (
        ("a huge body", head + b"Content-Length: 1048576\r\n\r\n" + huge, (413,)),
        ("a huge length", head + b"Content-Length: 99999999999999999999999\r\n\r\n", (413, 400)),
        ("no number", head + b"Content-Length: many\r\n\r\n", (400,)),
        ("a negative length", head + b"Content-Length: -1\r\n\r\n", (400,)),
        ("no length", head + b"\r\n" + huge, (411,)),
        ("chunks", head + b"Transfer-Encoding: chunked\r\n\r\n" + b"10000\r\n" + huge, (411,)),
        ("both", head + b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}", (411,)),
        ("packed", head + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", (415,)),
        ("a long address", b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n", (400, 414, None)),
        ("a long header", head + b"X: " + b"a" * 200000 + b"\r\n\r\n", (400, 411, 431, None)),
        ("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", (400, None)),
        ("many parts", f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nRange: bytes=".encode() +
         b",".join([b"0-"] * 1500) + b"\r\n\r\n", (416,))):
    status, content = server.raw(data)
    check(status in expected, f"{name}: {status}")
    check(len(content) < 1 << 20, f"{name}: {len(content)} bytes in reply")
check(not (course / "progress.json").exists(), "something was recorded")

# ---- Answers and hints are recorded, and every open page hears of it ----
stream = socket.create_connection(("127.0.0.1", server.port))
stream.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
check(wait_for(b"retry:", stream), "the stream of changes begins")
status, content = server.post("/answer", answer, token, Origin=f"http://127.0.0.1:{server.port}")
check(status == 200 and json.loads(content)["correct"] is True, f"a right answer: {status} {content}")
check(lesson()["quiz"]["sum"]["correct"] is True, "the answer in progress.json")
delays.clear()
check(wait_for(b"event: change", stream), "an answer reaches the open page")
status, content = server.post("/answer", {**answer, "question": "which", "answer": "a"}, token)
check(status == 200 and json.loads(content)["correct"] is False, "a wrong answer")
check("index" in json.loads(content)["remark"], "the misconception behind it")
status, content = server.post("/answer", {**answer, "answer": "many"}, token)
check(status == 200 and json.loads(content)["understood"] is False, "an answer that is none")
check(lesson()["quiz"]["sum"]["tries"] == 1, "which is no try")
status, content = server.post("/hint", {"lesson": "001_add_one", "rung": 1}, token)
check(status == 200 and lesson()["hints"] == 1, f"an opened hint: {status} {content}")
wait_for(b"no such event", stream, 0.3)
subprocess.run([grade, "quiz", "1", "--answer", "list=0,1,2"], stdout=subprocess.DEVNULL, check=False)
check(wait_for(b"event: change", stream), "a command in the terminal reaches the open page")
(course / ".grade" / "runs").mkdir(exist_ok=True)
(course / ".grade" / "runs" / "002_add_two.json").write_text("{}")
check(wait_for(b"002_add_two", stream), "a run reaches the open page")
check(min(delays, default=PATIENCE) < 1, f"what changes reaches the open page after {delays} s")
streams = []
for _ in range(40):
    each = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    each.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    streams.append(each)
refused = sum(b" 503 " in each.recv(64) for each in streams)
check(refused >= 16, f"{40 - refused} more streams were let in")
check(server.ask("GET", "/")[0].status == 200, "a page while many listen")
for each in streams:
    each.close()

# ---- Those who are slow, and those who are many ----
begun = time.monotonic()
idle = [socket.socket() for _ in range(80)]
for each in idle:  # more than are served at a time
    each.setblocking(False)
    each.connect_ex(("127.0.0.1", server.port))
slow = socket.create_connection(("127.0.0.1", server.port))
slow.settimeout(0.2)
flood = socket.create_connection(("127.0.0.1", server.port))
flood.settimeout(0.2)
sent = 0
ended = None
while time.monotonic() - begun < PATIENCE and ended is None:
    try:
        slow.sendall(b"G" if time.monotonic() - begun < 0.3 else b"E")
        if slow.recv(1) == b"":
            ended = time.monotonic() - begun
    except TimeoutError:
        pass
    except OSError:
        ended = time.monotonic() - begun
check(ended is not None, f"a byte at a time holds a connection: {ended}")
check(server.ask("GET", "/")[0].status == 200, "a page after all that")
try:
    flood.sendall(b"GET / HTTP/1.1\r\n")
    for _ in range(3000):
        sent += flood.send(b"X: " + b"a" * 1000 + b"\r\n")
        time.sleep(0.0002)
except OSError:
    pass
memory = int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{server.process.pid}/status").read_text())[1])
check(memory < 200_000, f"{memory} KiB after endless headers ({sent} bytes sent)")
for each in idle:
    each.close()

# ---- Another port, a port that is taken, the end ----
second = Server("--port", str(server.port))
check(second.port != server.port, "a port that is taken")
check("taken" in second.text, "and it says so")
check(second.token == server.token, "the token lasts from one start to the next")
mode = os.stat(course / ".grade" / "serve-token").st_mode
check(mode & 0o077 == 0, "the token's file is for its owner alone")
with socket.socket() as other:
    check(other.connect_ex(("127.0.0.2", server.port)) != 0, "it listens on 127.0.0.1 alone")
# Sooner than the five seconds for which a read may wait.
code, seconds = second.end(signal.SIGTERM)
check(code == 0 and seconds < 4, f"SIGTERM: code {code} after {seconds:.1f} s")
code, seconds = server.end()
check(code == 0 and seconds < 4, f"Ctrl-C with a page open: code {code} after {seconds:.1f} s")
check("Ended" in server.process.stdout.read(), "it says that it ended")
run = subprocess.run([grade, "serve", "--port", "70000"], capture_output=True, text=True)
check(run.returncode == 2 and "65535" in run.stderr, "a port that is none")
sys.exit(1 if failures else 0)
