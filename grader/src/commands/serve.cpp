// `grade serve`: the workbook as pages that change by themselves.
#include <fmt/core.h>
#include <signal.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>

#include "cli/command.h"
#include "serve/changes.h"
#include "serve/guard.h"
#include "serve/module.h"
#include "serve/service.h"
#include "serve/watcher.h"
#include "site/site.h"
#include "system/files.h"
#include "system/paths.h"
#include "system/process.h"
#include "terminal/terminal.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using terminal::Style;

constexpr int kPort = 8052;
constexpr int kPortsTried = 10;

// Ctrl-C and its kin wait until they are asked for; the server's threads inherit that.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int each : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set_, each);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~Signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // True when one has come within so many milliseconds.
  bool wait(long milliseconds) const {
    const timespec longest{0, milliseconds * 1'000'000};
    return sigtimedwait(&set_, nullptr, &longest) > 0;
  }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

// The same from one start to the next, so that a page left open, or a bookmark, may go on.
std::string token(const Paths& paths) {
  const fs::path file = paths.state() / "serve-token";
  struct stat info {};
  const bool own = stat(file.c_str(), &info) == 0 && (info.st_mode & 0077) == 0;
  if (own) {
    std::string known = read_file_if_there(file).value_or("");
    if (known.size() == 32 && known.find_first_not_of("0123456789abcdef") == std::string::npos) {
      return known;
    }
  }
  std::string fresh = serve::new_token();
  const mode_t before = umask(0077);
  try {
    StagedFile staged(file, fresh);
    staged.commit();
  } catch (const Error&) {  // a folder that cannot be written: this token serves until the end
  }
  umask(before);
  return fresh;
}

class ServeCommand final : public Command {
 public:
  const char* name() const override { return "serve"; }
  const char* summary() const override {
    return "The workbook as pages in your browser, which update themselves";
  }
  int order() const override { return 20; }

  void configure(Options& options) override {
    options.option(
        "--port", port_, "N",
        fmt::format("The port, {} if not given; the next free one where it is taken", kPort));
    options.flag("--open", open_, "Open the pages in your browser");
    options.footer(
        "It answers to this machine alone (127.0.0.1), reads the workbook's pages and runs no "
        "code. The address it prints holds a token: with it a page may record answers to "
        "questions and opened hints; without it, pages are there to read. Ctrl-C ends it.");
  }

  Exit run(Context& context) override {
    if (port_ < 0 || port_ > 65535) throw Error(Exit::usage, "--port takes 0 to 65535");
    const std::string secret = token(context.paths());
    site::Site site(context, {.live = true, .token = secret});
    serve::Changes changes;

    // The guard and the service need the port, the port needs the server.
    std::unique_ptr<serve::Guard> guard;
    std::unique_ptr<serve::Service> service;
    const auto server = serve::make_server(
        context.paths(),
        {.refuse = [&](const serve::Request& each) { return service->handlers().refuse(each); },
         .answer = [&](const serve::Request& each) { return service->answer(each); }},
        {});
    bind(*server);
    guard = std::make_unique<serve::Guard>(server->port(), secret);
    service = std::make_unique<serve::Service>(site, *guard, changes, secret);
    // Before the first thread, and before anybody knows of the server.
    const Signals signals;
    serve::Watcher watcher(context.paths());
    announce(server->port(), guard->address());

    std::thread answering([&] { server->run(); });
    while (!signals.wait(100)) {
      for (serve::Change& change : watcher.look()) changes.add(std::move(change));
    }
    changes.close();
    server->stop();
    answering.join();
    terminal::out().line();
    terminal::out().line("Ended.");
    return Exit::passed;
  }

 private:
  void bind(serve::HttpServer& server) const {
    for (int port = port_; port < port_ + kPortsTried && port <= 65535; ++port) {
      if (server.bind(port)) return;
    }
    if (!server.bind(0)) {
      throw Error(Exit::unavailable, "this machine gives no port on 127.0.0.1",
                  "Is a firewall or a container in the way?");
    }
  }

  void announce(int port, const std::string& address) const {
    terminal::Terminal& out = terminal::out();
    if (port_ != 0 && port != port_) {
      out.line(fmt::format("Port {} is taken; this is {}.", port_, port));
    }
    out.line(fmt::format("The workbook: {}", out.link(out.style(Style::bold, address), address)));
    out.line(
        out.style(Style::dim, "The pages change by themselves as you grade. Ctrl-C ends this."));
    out.flush();
    if (open_) open_browser(address);
  }

  static void open_browser(const std::string& address) {
    for (const char* program : {"xdg-open", "wslview", "open"}) {
      if (find_program(program).empty()) continue;
      std::thread([program, address] { capture({program, address}); }).detach();
      return;
    }
    terminal::out().line(
        "There is no program to open a browser with (xdg-open): open the address yourself.");
  }

  int port_ = kPort;
  bool open_ = false;
};

const Registration<ServeCommand> serve_command;

}  // namespace
}  // namespace grade
