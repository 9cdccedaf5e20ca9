#include "train/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>

#include "system/files.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "train/chart.h"
#include "train/svg.h"
#include "train/training_json.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using terminal::Style;
using terminal::Symbol;

std::string heading(const TrainOptions& options, const Training& training) {
  std::string text = fmt::format(
      "{} experts, {} a token, {} tokens, alpha {:g}, rate {:g}, {}", training.experts,
      training.top, training.tokens, training.alpha, training.lr,
      options.mine ? "your kernels" : fmt::format("the {} kernels", kernels_name(options)));
  if (training.ranks == 1) return text;
  return text + fmt::format(", {} processes by {}", training.ranks,
                            training.exchange == "nccl" ? "NCCL" : training.exchange);
}

// Writes the picture. Returns why it could not.
std::string draw(const fs::path& picture, const Training& training, const Training* reference,
                 const std::string& title) {
  try {
    write_file_atomically(picture, training_svg(training, reference, title));
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

void compare(const Training& own, const Training& reference, terminal::Terminal& out) {
  double most = 0;
  const std::size_t steps = std::min(own.mse.size(), reference.mse.size());
  for (std::size_t i = 0; i < steps; ++i) {
    const double scale = std::max(std::abs(reference.mse[i]), 1e-30);
    most = std::max(most, std::abs(own.mse[i] - reference.mse[i]) / scale);
  }
  out.paragraph(fmt::format(
      "The dots in the background are the reference's curve. It ends at {:.4g}, yours at {:.4g}; "
      "the two are never further apart than {:.2g} % (sums in another order round otherwise, and "
      "a choice between experts may tip).",
      reference.mse.back(), own.mse.back(), 100 * most));
}

void say_diverged(const Training& training, terminal::Terminal& out) {
  const bool in_loss = training.mse.empty() || !std::isfinite(training.mse.back());
  const auto bad =
      std::ranges::find_if_not(training.mse, [](double loss) { return std::isfinite(loss); });
  out.paragraph(out.style(Style::bad, out.symbol(Symbol::failed)) +
                    fmt::format(" The {} no number any more, at step {}: the learning rate "
                                "{:g} is too large here. A smaller --lr, say {:g}, may do.",
                                in_loss ? "loss is" : "parameters are",
                                bad - training.mse.begin() + (in_loss ? 1 : 0), training.lr,
                                std::min(training.lr / 3, 0.1)),
                2);
  if (training.kept_step >= 0 || training.first_step > 0) {
    out.paragraph(
        fmt::format("The checkpoint of step {} is kept, but --resume keeps the learning "
                    "rate too, and comes here again: begin anew without it.",
                    std::max(training.kept_step, training.first_step)));
  }
}

void say_done(const Training& training, terminal::Terminal& out) {
  const bool good = trained(training);
  out.paragraph(fmt::format("{} The task's loss went from {:.4g} to {:.4g}{}.",
                            out.style(good ? Style::good : Style::warning,
                                      out.symbol(good ? Symbol::passed : Symbol::warning)),
                            training.mse.front(), training.mse.back(),
                            good ? "" : ", not to a tenth of where it began"));
}

}  // namespace

Exit conclude(const TrainOptions& options, const Training& training, const Training* reference,
              const fs::path& folder) {
  terminal::Terminal& out = terminal::out();
  const Exit exit = training.status == "diverged" ? Exit::failed : Exit::passed;
  const std::string title = heading(options, training);
  const fs::path picture = folder / "training.svg";
  if (options.json) {
    out.line(training_json(training, kernels_name(options), reference));
    draw(picture, training, reference, title);
    return exit;
  }
  const int columns = std::min(out.columns(), 100);
  out.line(out.style(Style::bold, title));
  out.line();
  for (const std::string& line : loss_chart(training, reference, columns, out)) out.line(line);
  if (reference != nullptr) compare(training, *reference, out);
  out.line();
  if (!training.load_after.empty()) {
    for (const std::string& line : load_chart(training, columns, out)) out.line(line);
    out.line();
  }
  if (const std::string why = draw(picture, training, reference, title); why.empty()) {
    out.line("picture: " + out.path(picture.string(), fs::current_path().string()));
  } else {
    out.paragraph("The picture could not be written: " + terminal::printable(why));
  }
  if (training.status == "diverged") {
    say_diverged(training, out);
  } else if (training.status == "interrupted") {
    out.paragraph(fmt::format("Interrupted at step {}. To go on from there:", training.mse.size()));
    out.line("  " + resuming(options));
  } else {
    say_done(training, out);
  }
  return exit;
}

Exit conclude_failed(const TrainOptions& options, const TrainerRun& run) {
  terminal::Terminal& out = terminal::out();
  const Training& training = run.training;
  if (options.json) {
    out.line(training_json(training, kernels_name(options)));
  } else {
    out.paragraph(out.style(Style::bad, out.symbol(Symbol::failed)) +
                      " The training ended: " + training.message,
                  2);
    if (training.kept_step >= 0) {
      out.paragraph(fmt::format("The checkpoint of step {} is kept. To go on from there:",
                                training.kept_step));
      out.line("  " + resuming(options));
    }
  }
  return run.file_trouble ? Exit::unavailable : Exit::crashed;
}

}  // namespace grade
