// SPDX-License-Identifier: Apache-2.0
// write_sample FILE: writes the page of the made-up study, for the test in a browser.
#include "report/sample.hpp"
#include "summand/report/page.hpp"

#include <fstream>

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    std::ofstream(argv[1]) << summand::report::render_page(summand::testing::sample_report());
}
