// The workbook as pages: what `grade site` writes to a folder and `grade serve` sends.
//
//   index.html                  the course
//   lessons/001_matmul_nn.html  a lesson each
//   docs/start.html …           the pages of docs/
//   progress.html
//   assets/…                    theme, script, search index, fonts
//
// Every address in a page is relative, so that the same pages work from file://, from any folder
// of a web host and from a server.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grade {
class Context;
}

namespace grade::site {

struct SiteOptions {
  // Where a server answers: pages then listen to `events` and post answers and hints with this
  // token. Static pages check answers by themselves and keep them in the browser.
  bool live = false;
  std::string token;
  // Without it pages show nothing of what the learner did: for a web host.
  bool progress = true;
};

struct Page {
  std::string content_type;  // "text/html; charset=utf-8"
  std::string bytes;
};

// After construction, safe to use from several threads.
class Site {
 public:
  // Reads the course; pages are read and rendered when they are asked for. Starts nothing.
  Site(Context& context, SiteOptions options);
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // All paths of the site, relative to its root, index.html first. A path never begins with a slash
  // nor holds "..".
  std::vector<std::string> paths() const;

  // The page as things stand now: progress and the last runs are read anew. Empty for what is not
  // one of paths(), whatever it says. Throws Error when the page's source is damaged.
  std::optional<Page> render(std::string_view path);

  // What was wanting so far ("MathJax is not installed: …"): a line each, with the way out.
  std::vector<std::string> remarks() const;

  // What the pages post (bodies are JSON objects). Each records in progress.json and returns the
  // JSON to reply with; empty when the request names no lesson, question or rung of this course.
  //   answer {"lesson": "001_matmul_nn", "question": "flat-index", "answer": "9"}
  //     -> {"understood", "correct", "shown", "remark"}
  //   hint {"lesson": "001_matmul_nn", "rung": 1} -> {"hints"}
  std::optional<std::string> answer(std::string_view body);
  std::optional<std::string> hint(std::string_view body);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace grade::site
