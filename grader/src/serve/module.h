// Finds, builds where needed, and loads the module with the HTTP server.
#pragma once

#include <memory>

#include "serve/http.h"
#include "system/paths.h"

namespace grade::serve {

// Throws Error(unavailable) that says what is missing and how to get it.
std::unique_ptr<HttpServer> make_server(const Paths& paths, Handlers handlers,
                                        const Limits& limits);

}  // namespace grade::serve
