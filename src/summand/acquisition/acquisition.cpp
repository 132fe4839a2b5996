// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/acquisition.hpp"

#include "summand/acquisition/marginal_surface.hpp"

#include <utility>
#include <vector>

namespace summand {
namespace {

template <class Choice>
concept FormulaOfMarginals = requires(const Choice& choice, const Context& context) {
    formula(choice, context);
};

std::unique_ptr<Surface> add_gp_ucb(const Ucb& ucb, const Context& context) {
    std::vector<std::unique_ptr<Surface>> groups;
    for (Index m = 0; m < context.gp.partition().group_count(); ++m) {
        const Domain domain = context.domain.group(context.gp.partition().group(m));
        groups.push_back(
            group_surface(context.gp, m, formula(ucb, Context{context.gp, m, domain, context.time, context.rng})));
    }
    return groupwise_surface(context.gp, std::move(groups));
}

struct MakeSurface {
    const Context& context;

    std::unique_ptr<Surface> operator()(const Ucb& ucb) const {
        return context.group ? group_surface(context.gp, *context.group, formula(ucb, context), context.screens)
                             : add_gp_ucb(ucb, context);
    }
    template <FormulaOfMarginals Choice>
    std::unique_ptr<Surface> operator()(const Choice& choice) const {
        Formula score = formula(choice, context);
        return context.group ? group_surface(context.gp, *context.group, std::move(score), context.screens)
                             : sum_surface(context.gp, std::move(score));
    }
    template <class Choice>
    std::unique_ptr<Surface> operator()(const Choice& choice) const {
        return surface(choice, context);
    }
};

}  // namespace

std::unique_ptr<Surface> make_surface(const Acquisition& acquisition, const Context& context) {
    return std::visit(MakeSurface{context}, acquisition);
}

}  // namespace summand
