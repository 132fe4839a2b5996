// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/decimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace summand::plot {

std::vector<std::size_t> decimated(const std::vector<Xy>& points, std::size_t limit) {
    const std::size_t count = points.size();
    std::vector<std::size_t> kept;
    if (count <= std::max<std::size_t>(limit, 4)) {
        kept.resize(count);
        std::iota(kept.begin(), kept.end(), std::size_t{0});
        return kept;
    }
    const std::size_t runs = std::max<std::size_t>(1, limit / 4);
    for (std::size_t run = 0; run < runs; ++run) {
        const std::size_t first = run * count / runs, end = (run + 1) * count / runs;
        std::size_t low = first, high = first;
        std::vector<std::size_t> chosen = {first, end - 1};
        for (std::size_t i = first; i < end; ++i) {
            if (!std::isfinite(points[i].y))
                chosen.push_back(i);
            else {
                if (!(points[low].y <= points[i].y)) low = i;  // also leaves a `low` that is not a number
                if (!(points[high].y >= points[i].y)) high = i;
            }
        }
        chosen.insert(chosen.end(), {low, high});
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        kept.insert(kept.end(), chosen.begin(), chosen.end());
    }
    return kept;
}

std::vector<Xy> decimate(const std::vector<Xy>& points, std::size_t limit) {
    std::vector<Xy> kept;
    for (const std::size_t i : decimated(points, limit)) kept.push_back(points[i]);
    return kept;
}

}  // namespace summand::plot
