// The server's rules on who may ask for what, and what it notices on disk.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "scratch.h"
#include "serve/changes.h"
#include "serve/guard.h"
#include "serve/watcher.h"

using namespace grade;
using namespace grade::serve;

namespace {

const std::string kToken = "0123456789abcdef0123456789abcdef";

Request request(const std::string& method, const std::string& path,
                const std::map<std::string, std::string>& headers = {}) {
  Request made;
  made.method = method;
  made.path = path;
  made.headers["host"] = {"127.0.0.1:8052"};
  for (const auto& [name, value] : headers) made.headers[name] = {value};
  return made;
}

Request post(std::map<std::string, std::string> headers) {
  headers.try_emplace("content-type", "application/json");
  return request("POST", "/answer", headers);
}

int status(const Request& of) {
  const Guard guard(8052, kToken);
  const auto refusal = guard.refuse(of);
  return refusal ? refusal->status : 200;
}

}  // namespace

TEST_CASE("serve: only its own names are answered") {
  CHECK(status(request("GET", "/")) == 200);
  CHECK(status(request("HEAD", "/")) == 200);
  CHECK(status(request("GET", "/", {{"host", "localhost:8052"}})) == 200);
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:8053", "evil.example", "evil.example:8052",
                           "127.0.0.1:8052.evil.example", "LOCALHOST:8052", "0.0.0.0:8052"}) {
    CAPTURE(host);
    CHECK(status(request("GET", "/", {{"host", host}})) == 421);
  }
  Request none = request("GET", "/");
  none.headers.erase("host");
  CHECK(status(none) == 421);
  Request twice = request("GET", "/");
  twice.headers["host"].emplace_back("evil.example");
  CHECK(status(twice) == 421);
}

TEST_CASE("serve: a page from elsewhere is refused") {
  CHECK(status(request("GET", "/", {{"origin", "http://127.0.0.1:8052"}})) == 200);
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1", "",
                             "https://127.0.0.1:8052", "http://localhost:8052"}) {
    CAPTURE(origin);
    CHECK(status(request("GET", "/", {{"origin", origin}})) == 403);
    CHECK(status(post({{"origin", origin}, {"x-grade-token", kToken}})) == 403);
  }
}

TEST_CASE("serve: what writes needs the token, and JSON") {
  CHECK(status(post({{"x-grade-token", kToken}})) == 200);
  CHECK(status(post({})) == 403);
  CHECK(status(post({{"x-grade-token", ""}})) == 403);
  CHECK(status(post({{"x-grade-token", kToken.substr(1)}})) == 403);
  CHECK(status(post({{"x-grade-token", "f" + kToken.substr(1)}})) == 403);
  CHECK(status(post({{"cookie", "grade-8052=" + kToken}})) == 403);
  CHECK(status(post({{"x-grade-token", kToken},
                     {"content-type", "application/x-www-form-urlencoded"}})) == 415);
  for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get"}) {
    CAPTURE(method);
    CHECK(status(request(method, "/", {{"x-grade-token", kToken}})) == 405);
  }
}

TEST_CASE("serve: the printed address brings the token as a cookie, any other does not") {
  const Guard guard(8052, kToken);
  CHECK(guard.address() == "http://127.0.0.1:8052/?token=" + kToken);
  Request right = request("GET", "/");
  CHECK(!guard.welcome(right));
  right.query["token"] = kToken;
  const auto reply = guard.welcome(right);
  REQUIRE(reply);
  CHECK(reply->status == 303);
  CHECK(reply->headers.at("Location") == "/");
  const std::string set = reply->headers.at("Set-Cookie");
  CHECK(set == "grade-8052=" + kToken + "; Path=/; HttpOnly; SameSite=Strict");

  Request wrong = request("GET", "/");
  wrong.query["token"] = "f" + kToken.substr(1);
  REQUIRE(guard.welcome(wrong));
  CHECK(!guard.welcome(wrong)->headers.contains("Set-Cookie"));

  CHECK(guard.knows_token(request("GET", "/", {{"cookie", "a=b; grade-8052=" + kToken}})));
  CHECK(guard.knows_token(request("GET", "/", {{"cookie", "grade-8052=" + kToken + "; c"}})));
  for (const std::string& cookie : {std::string(), "grade-8053=" + kToken, "xgrade-8052=" + kToken,
                                    "grade-8052=" + kToken + "0", std::string("grade-8052"),
                                    std::string(";;;=;"), "a=grade-8052=" + kToken}) {
    CAPTURE(cookie);
    CHECK(!guard.knows_token(request("GET", "/", {{"cookie", cookie}})));
  }
  CHECK(new_token().size() == 32);
  CHECK(new_token() != new_token());
}

TEST_CASE("serve: every reader sees each change once") {
  Changes changes;
  changes.add({"change", "before"});
  Changes::Reader early(changes);
  const std::chrono::milliseconds at_once{0};
  CHECK(!early.next(at_once));
  changes.add({"change", "1"});
  Changes::Reader late(changes);
  changes.add({"reload", "2"});
  CHECK(early.next(at_once)->data == "1");
  CHECK(early.next(at_once)->event == "reload");
  CHECK(!early.next(at_once));
  CHECK(late.next(at_once)->data == "2");
  for (int i = 0; i < 1000; ++i) changes.add({"change", std::to_string(i)});
  int read = 0;
  std::string last;
  while (const auto change = late.next(at_once)) {
    ++read;
    last = change->data;
  }
  CHECK(read == 64);
  CHECK(last == "999");
  CHECK(!late.closed());
  changes.close();
  CHECK(late.closed());
}

TEST_CASE("serve: a graded run, progress and the pages' text are noticed") {
  const Scratch scratch;
  const Paths paths = scratch.course();
  Watcher watcher(paths);
  const auto write = [](const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  };
  CHECK(watcher.look().empty());
  write(paths.state() / "runs" / "001_add_one.json", "{}");
  auto changes = watcher.look();
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].event == "change");
  CHECK(changes[0].data == R"({"lessons":["001_add_one"]})");
  CHECK(watcher.look().empty());
  write(paths.progress(), "{}");
  changes = watcher.look();
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].data == R"({"lessons":[]})");
  write(paths.state() / "runs" / "001_add_one.json.tmp1", "{");
  CHECK(watcher.look().empty());

  write(paths.lessons() / "001_add_one" / "lesson.md", "changed");
  changes.clear();
  for (int i = 0; i < 10 && changes.empty(); ++i) changes = watcher.look();
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].event == "reload");
}
