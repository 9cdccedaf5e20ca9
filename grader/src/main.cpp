#include <string>
#include <vector>

#include "cli/application.h"

int main(int argc, char** argv) {
  return grade::run_application(std::vector<std::string>(argv + 1, argv + argc));
}
