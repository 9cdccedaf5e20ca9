// `grade site DIR`: the workbook as static pages.
#include "site/site.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "cli/command.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

class SiteCommand final : public Command {
 public:
  const char* name() const override { return "site"; }
  const char* summary() const override { return "Write the workbook as pages for any browser"; }
  int order() const override { return 40; }

  void configure(Options& options) override {
    options.argument("DIR", folder_, "Where the pages go; made when it is not there");
    options.flag("--no-progress", no_progress_, "Without what you have done: for others to read");
    options.footer(
        "Open DIR/index.html, or put DIR on any web host. Pages of an earlier run are written "
        "over, "
        "other files in DIR stay.");
  }

  Exit run(Context& context) override {
    const fs::path folder = fs::absolute(folder_).lexically_normal();
    refuse_foreign(folder);
    site::Site site(context, {.live = false, .token = {}, .progress = !no_progress_});
    const std::vector<std::string> paths = site.paths();
    std::size_t pages = 0;
    std::uintmax_t bytes = 0;
    {
      terminal::StatusLine status;
      for (const std::string& path : paths) {
        status.show(fmt::format("{} of {}  {}", pages + 1, paths.size(), path));
        const auto page = site.render(path);
        if (!page) throw Error(Exit::unavailable, path + " vanished while the pages were written");
        write(folder / path, page->bytes);
        ++pages;
        bytes += page->bytes.size();
      }
    }
    terminal::Terminal& out = terminal::out();
    out.line(fmt::format("{} {}, {:.1f} MB: {}", out.symbol(terminal::Symbol::passed),
                         terminal::counted(static_cast<long long>(pages), "file", "files"),
                         static_cast<double>(bytes) / 1e6,
                         out.path((folder / "index.html").string(), fs::current_path().string())));
    for (const std::string& remark : site.remarks()) out.paragraph("note: " + remark, 6);
    return Exit::passed;
  }

 private:
  // A folder that holds something else is more likely a slip than a wish.
  static void refuse_foreign(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_directory(folder, error)) {
      throw Error(Exit::usage, fmt::format("{} is a file", folder.string()),
                  "`grade site` takes a folder.");
    }
    const bool foreign = fs::exists(folder, error) && !fs::is_empty(folder, error) &&
                         !fs::exists(folder / "assets" / "site.css", error);
    if (foreign) {
      throw Error(Exit::usage,
                  fmt::format("{} holds other files than the workbook's pages", folder.string()),
                  "Name a folder that is empty or not there yet.");
    }
  }

  static void write(const fs::path& file, const std::string& content) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    std::ofstream stream(file, std::ios::binary);
    stream << content;
    stream.close();
    if (!stream) {
      throw Error(Exit::unavailable, fmt::format("cannot write {}", file.string()),
                  "Is the folder writable, and is there room on the disk?");
    }
  }

  std::string folder_;
  bool no_progress_ = false;
};

const Registration<SiteCommand> site_command;

}  // namespace
}  // namespace grade
