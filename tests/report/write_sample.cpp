// SPDX-License-Identifier: Apache-2.0
// write_sample DIRECTORY: writes pages of made-up studies, for the test in a browser.
#include "report/sample.hpp"
#include "summand/report/page.hpp"

#include <fstream>

int main(int argc, char** argv) {
    using namespace summand;
    if (argc != 2) return 2;
    const std::string folder = argv[1];
    std::ofstream(folder + "/everything.html") << report::render_page(testing::sample_report());
    std::ofstream(folder + "/flags.html") << report::render_page(testing::flags_report());
    std::ofstream(folder + "/large.html") << report::render_page(testing::sample_report(10'000, 56));
}
