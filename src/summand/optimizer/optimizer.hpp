// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/error.hpp"
#include "summand/optimizer/history.hpp"
#include "summand/optimizer/insight.hpp"
#include "summand/optimizer/options.hpp"
#include "summand/space/trial.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace summand {

/// Every point of a finite search space has been evaluated or is being evaluated.
class SpaceExhausted : public InvalidArgument {
  public:
    using InvalidArgument::InvalidArgument;
};

/// The best value told so far and its point.
struct Best {
    std::int64_t id = 0;
    Point values = {};
    double value = 0.0;
};

/// Proposes points of a search space and learns from their values.
///
/// The state is a function of (space, options, told history): same seed and same history give the same asks, bit for
/// bit, at any thread count. What has been learned advances only inside ask(), so asks may come at any time and
/// answers in any order. Not for several threads at once; copies are independent.
class Optimizer {
  public:
    /// Throws InvalidArgument with every mistake, one sentence a line.
    Optimizer(SearchSpace space, Options options);
    /// Rebuilds the state from a history; the next ask equals, bit for bit, that of the optimiser that lived through it.
    /// `snapshot` (from snapshot()) spares recomputation: it never changes a result, and one that is damaged or belongs to
    /// another history, other options or another version is ignored. It may be older than the history.
    Optimizer(SearchSpace space, Options options, const std::vector<Event>& history, const std::string& snapshot = {},
              std::stop_token stop = {});
    Optimizer(const Optimizer& other);
    Optimizer& operator=(const Optimizer& other);
    Optimizer(Optimizer&&) noexcept;
    Optimizer& operator=(Optimizer&&) noexcept;
    ~Optimizer();

    /// options().batch_size points, or `count`, at most 10000. None is pending or has been told; but one whose value is too good to be
    /// believed is asked for once more (docs/optimizer.md, "Doubts").
    /// Exactly as many as asked for, unless a finite space has fewer left; throws SpaceExhausted if it has none.
    /// `stop` interrupts with Interrupted and leaves the optimiser as it was.
    std::vector<Trial> ask(std::stop_token stop = {});
    std::vector<Trial> ask(int count, std::stop_token stop = {});
    /// The value at a pending trial, in any order; also of an abandoned one (a late answer is still data).
    /// NaN and infinite values are refused: tell them as Failed.
    void tell(std::int64_t id, double value);
    void tell(std::int64_t id, Failed failed);
    void tell(std::int64_t id, const Outcome& outcome);
    /// The user's own data: a point nobody asked for. Returns its id.
    std::int64_t add(Point point, const Outcome& outcome);
    /// A point that someone else chose and is evaluating: pending from now on. Returns its id, to be told or abandoned.
    std::int64_t add_pending(const Point& point);
    /// A pending trial will never be answered, or a told one must no longer be used. The point may be proposed again.
    void abandon(std::int64_t id);
    /// A told, failed or abandoned trial is pending again: to be evaluated once more, or told another value.
    void reopen(std::int64_t id);

    std::optional<Best> best() const;  ///< empty until a value has been told; among equals the first told
    /// By the model in use at the time of the last ask, with all values told since; empty before there is a model.
    std::optional<Recommended> recommended() const;
    std::vector<Trial> pending() const;     ///< asked, not told, not abandoned; by id
    std::int64_t evaluation_count() const;  ///< values told and in use
    std::int64_t failure_count() const;
    const std::vector<Event>& history() const;
    /// What has been learned, as text. Cheap to load, meaningless without its history.
    std::string snapshot() const;
    const SearchSpace& space() const;
    const Options& options() const;  ///< resolved

    /// What has been learned, at the time of the last ask; see insight.hpp.
    StructureView structure() const;
    /// Share of the function's variation that each parameter is responsible for (total effect, normalised to sum 1, in the
    /// order of the space), with what the values leave open; empty before there is a model.
    std::vector<Importance> importance() const;
    /// The posterior along one parameter, or over two of the same group, the others of the group at the best point.
    /// Throws InvalidArgument for unknown names or two parameters that the model keeps apart,
    /// and unless 2 <= resolution <= 1000.
    GroupSlice slice(const std::vector<std::string>& parameters, int resolution = 50) const;
    /// One for each group of one or two parameters, and one for each parameter of a larger group; empty before there is a model.
    std::vector<GroupSlice> group_slices(int resolution = 50) const;

    /// Importance, and the slices over the parameters that `axes` names once it knows it and the model's groups, for
    /// reports: from one model of at most `most_points` told points (the best of them, and an even choice of the others),
    /// since N points cost N³.
    ModelView explain(const std::function<std::vector<std::vector<std::string>>(const ModelView& view)>& axes,
                      int resolution, int most_points) const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace summand
