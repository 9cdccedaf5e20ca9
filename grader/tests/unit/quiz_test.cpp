#include <doctest/doctest.h>

#include "commands/quiz_view.h"
#include "machine/packages.h"
#include "scratch.h"

using grade::judge;
using grade::parse_number;
using grade::Question;

TEST_CASE("numbers as people write them") {
  CHECK(parse_number(" 12 ") == 12);
  CHECK(parse_number("-0.5") == -0.5);
  CHECK(parse_number("−3") == -3);
  CHECK(parse_number("+4") == 4);
  CHECK(parse_number("1e-3") == 0.001);
  CHECK(parse_number("2/4") == 0.5);
  for (const char* text :
       {"", "x", "1,5", "12 blocks", "1/0", "nan", "inf", "--1", "1/2/3", "0x10"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text));
  }
}

TEST_CASE("answers") {
  Question number;
  number.number = 0.3;
  CHECK(judge(number, "0.3").correct);
  CHECK(judge(number, "3/10").correct);
  CHECK_FALSE(judge(number, "0.31").correct);
  CHECK_FALSE(judge(number, "many").understood);
  number.tolerance = 0.05;
  CHECK(judge(number, "0.31").correct);

  Question choice;
  choice.type = Question::Type::choice;
  choice.choices = {{"3 x 5", "no: rows"}, {"64 x 64", ""}};
  choice.choice = 1;
  CHECK(judge(choice, "b").correct);
  CHECK(judge(choice, "B)").correct);
  CHECK(judge(choice, "64x64").correct);
  CHECK_FALSE(judge(choice, "a").correct);
  CHECK(judge(choice, "a").remark == "no: rows");
  CHECK_FALSE(judge(choice, "c").understood);
  CHECK_FALSE(judge(choice, "1").understood);

  Question text;
  text.type = Question::Type::text;
  text.accepted = {"0,2,3,6", "none"};
  CHECK(judge(text, "[0, 2, 3, 6]").correct);
  CHECK(judge(text, "None.").correct);
  CHECK_FALSE(judge(text, "0,2").correct);
  CHECK_FALSE(judge(text, " ").understood);
}

TEST_CASE("versions") {
  using grade::version_at_least;
  CHECK(version_at_least("12.2.0", "12"));
  CHECK(version_at_least("3.25.1", "3.25"));
  CHECK_FALSE(version_at_least("3.9", "3.25"));
  CHECK_FALSE(version_at_least("", "1"));
}

TEST_CASE("install commands by distribution") {
  const Scratch scratch;
  const grade::Package a{"a", "required", "deb-a", "fed-a", "arch-a", "why", false, ""};
  const grade::Package b{"b", "required", "deb-b", "fed-a", "arch-b", "why", false, ""};
  const auto command = [&](const std::string& release) {
    scratch.write("os-release", release);
    return grade::install_commands({&b, &a}, scratch.path() / "os-release");
  };
  CHECK(command("ID=ubuntu\nID_LIKE=debian\n")[0].ends_with("apt-get install deb-a deb-b"));
  CHECK(command("ID=\"rhel\"\n")[0].ends_with("dnf install fed-a"));
  CHECK(command("ID=manjaro\nID_LIKE=arch\n")[0].ends_with("pacman -S --needed arch-a arch-b"));
  CHECK(command("ID=other\n").size() == 4);
}
