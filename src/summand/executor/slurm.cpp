// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/slurm.hpp"

#include "summand/base/error.hpp"
#include "summand/executor/rhythm.hpp"
#include "summand/executor/slurm_client.hpp"
#include "summand/executor/slurm_commands.hpp"
#include "summand/executor/slurm_folder.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include <unistd.h>

namespace summand::executor {

namespace {

namespace fs = std::filesystem;

constexpr double first_poll_seconds = 2.0;   // then growing to options.poll_seconds
constexpr double first_scan_seconds = 0.05;  // of the folders; reading them costs Slurm nothing
constexpr double last_scan_seconds = 2.0;
constexpr std::size_t most_tasks = 1000;  // of one array: Slurm's MaxArraySize is 1001 unless a site says otherwise

struct Array {
    explicit Array(TaskFolder opened) : folder(std::move(opened)), number(folder.array()) {}
    TaskFolder folder;
    std::optional<std::string> number;  ///< Slurm's; empty: not submitted, as far as we know
    bool submitting = false;
    Clock::time_point tried = {};  ///< when the latest sbatch ended, or we adopted it
};

/// A job in hand.
struct Task {
    Array* array = nullptr;
    int index = 0;
    Stage stage = Stage::waiting;
    std::optional<Clock::time_point> gone_since = {};  ///< Slurm says it is over, or does not know it
    std::optional<Clock::time_point> withdrawn = {};   ///< when we told it to stop, should it run all the same
    QueueEntry last = {};
    bool never_ran = false;  ///< and never will: we have claimed it
};

class Slurm final : public Executor {
  public:
    explicit Slurm(const SlurmOptions& options)
        : options_(options),
          folder_(options.folder),
          client_(options.patience_seconds),
          submit_(std::min(first_poll_seconds, options.poll_seconds), 0.0),
          poll_(std::min(first_poll_seconds, options.poll_seconds), options.poll_seconds),
          scan_(first_scan_seconds, last_scan_seconds) {}

    ~Slurm() override {
        try {  // what has been handed to sbatch should reach Slurm; if it does not, the next executor sees to it
            const auto submitting = [](const auto& entry) { return entry.second.submitting; };
            for (int second = 0; second < 10 && std::any_of(arrays_.begin(), arrays_.end(), submitting); ++second)
                client_.wait(1.0);
        } catch (const Error&) {
        }
    }

    void start(const Job& job) override {
        refuse_missing_program(job);
        fresh_.push_back(job);
    }

    std::vector<Finished> wait(double seconds) override {
        const auto until = Clock::now() + duration(seconds);
        for (;;) {
            if (submission_due()) submit_fresh();
            if (poll_.due() && !polling_ && !tasks_.empty()) begin_poll();
            if (scan_.due()) scan();
            const bool woken = woken_.exchange(false);
            if (!ended_.empty() || woken || Clock::now() >= until) return std::exchange(ended_, {});
            auto next = std::min({until, scan_.next(), polling_ || tasks_.empty() ? until : poll_.next()});
            if (!fresh_.empty()) next = std::min(next, submit_.next());
            const double left = std::chrono::duration<double>(next - Clock::now()).count();
            client_.wait(std::max(left, 0.0));
        }
    }

    void wake() noexcept override {
        woken_ = true;
        client_.wake();
    }

    void stop_all() override {
        std::vector<std::string> names;
        for (const Job& job : fresh_) ended_.push_back(stopped(job.id));
        fresh_.clear();
        for (auto& [id, task] : tasks_) {
            task.array->folder.withdraw(task.index);
            if (task.array->number) names.push_back(name_of(task));
            ended_.push_back(stopped(id));
            over_[id] = {task.array, task.index};
        }
        tasks_.clear();
        if (names.empty()) return;
        bool cancelled = false;
        client_.call(cancel_command(names), [&](const SlurmAnswer&) { cancelled = true; });
        while (!cancelled) client_.wait(1.0);
    }

    std::size_t running() const override { return fresh_.size() + tasks_.size() + ended_.size(); }
    bool jobs_outlive_it() const override { return true; }
    std::string trouble() const override { return trouble_; }
    fs::path scratch() const override { return folder_.scratch(); }

    std::vector<Place> places() const override {
        std::vector<Place> found;
        for (const auto& [id, task] : tasks_) found.push_back({id, task.stage, name_of(task)});
        for (const Job& job : fresh_) found.push_back({job.id, Stage::waiting, {}});
        return found;
    }

    std::optional<Written> so_far(std::int64_t id, std::size_t most) const override {
        const auto found = tasks_.find(id);
        if (found == tasks_.end() || found->second.stage != Stage::running) return {};
        const auto written = found->second.array->folder.written(found->second.index);
        if (!written) return {};
        return Written{end_of(written->output, most), end_of(written->error, most)};
    }

    std::vector<std::int64_t> left_behind() override {
        find_others();
        std::vector<std::int64_t> ids;
        for (const auto& [id, spot] : others_) ids.push_back(id);
        return ids;
    }

    bool adopt(std::int64_t id) override {
        find_others();
        const auto found = others_.find(id);
        if (found == others_.end()) return false;
        Task task;
        task.array = found->second.array;
        task.index = found->second.index;
        tasks_[id] = task;
        others_.erase(found);
        scan_.restart();
        poll_.restart();
        return true;
    }

    void forget(std::int64_t id) override {
        for (auto* spots : {&over_, &others_}) {
            const auto found = spots->find(id);
            if (found == spots->end()) continue;
            const Spot spot = found->second;
            spots->erase(found);
            if (spots == &others_) spot.array->folder.withdraw(spot.index);
            spot.array->folder.mark_done(spot.index);
            remove_if_done(spot.array);
            return;
        }
    }

  private:
    struct Spot {
        Array* array = nullptr;
        int index = 0;
    };

    /// Where the program is given as a path; others may be found only on the nodes, after the prologue.
    static void refuse_missing_program(const Job& job) {
        const std::string program = job.command.empty() ? "" : job.command[0];
        if (program.find('/') == std::string::npos && !program.empty()) return;
        if (access((job.directory / program).c_str(), X_OK) == 0 && !program.empty()) return;
        throw ExecutorError("cannot start \"" + program + "\"" +
                            (job.directory.empty() ? "" : " in " + job.directory.string()) + ": " +
                            std::strerror(errno) + "; check the name, and that it is executable (chmod +x)");
    }

    static Finished stopped(std::int64_t id) {
        Finished finished;
        finished.id = id;
        finished.ending = Ending::stopped;
        return finished;
    }

    static std::string name_of(const Task& task) {
        return task.array->number ? *task.array->number + "_" + std::to_string(task.index) : "";
    }

    // From jobs to arrays.

    /// A batch at once; what tops up tasks that still run, with whatever else is started within two seconds.
    bool submission_due() const { return !fresh_.empty() && (tasks_.empty() || submit_.due()); }

    void submit_fresh() {
        if (tasks_.empty()) poll_.restart();
        for (std::size_t first = 0; first < fresh_.size(); first += most_tasks) {
            const auto begin = fresh_.begin() + static_cast<std::ptrdiff_t>(first);
            const auto count = std::min(most_tasks, fresh_.size() - first);
            const std::vector<Job> jobs(begin, begin + static_cast<std::ptrdiff_t>(count));
            Array& array = know(folder_.create(options_, jobs));
            for (std::size_t i = 0; i < jobs.size(); ++i) {
                Task& task = tasks_[jobs[i].id] = {};
                task.array = &array;
                task.index = static_cast<int>(i);
            }
            submit(array);
        }
        fresh_.clear();
        submit_.restart();
        scan_.restart();
    }

    Array& know(const TaskFolder& folder) { return arrays_.try_emplace(folder.name(), folder).first->second; }

    /// Those of its tasks that are in hand and that nobody has claimed. One that was claimed has run: whoever had it submitted
    /// died before the number was written, and Slurm no longer knows it.
    void submit(Array& array) {
        std::vector<int> tasks;
        const auto states = array.folder.states();
        for (auto& [id, task] : tasks_) {
            if (task.array != &array) continue;
            if (!states[static_cast<std::size_t>(task.index)].claimed)
                tasks.push_back(task.index);
            else if (!task.gone_since)
                task.gone_since = Clock::now();
        }
        if (tasks.empty()) return;
        std::sort(tasks.begin(), tasks.end());
        array.submitting = true;
        client_.call(submit_command(options_, array.folder.name(), array.folder.path(), tasks),
                     [this, &array](const SlurmAnswer& answer) { submitted(array, answer); });
    }

    void submitted(Array& array, const SlurmAnswer& answer) {
        array.submitting = false;
        array.tried = Clock::now();
        if (answer.complaint.empty()) {
            trouble_.clear();
            number(array, answer.output.substr(0, answer.output.find_first_of(";\n")));
        } else if (passes_by_itself(answer.complaint)) {
            // Whether it got through is seen in the queue; there is nobody to ask before Slurm answers again.
            trouble_ = "Slurm takes no jobs just now (" + answer.complaint + "); trying again";
        } else {
            give_up(array);
            throw ExecutorError("sbatch refuses the jobs: " + answer.complaint +
                                "; check [run.slurm] in the study file, and `sinfo` for what the cluster offers");
        }
    }

    void number(Array& array, const std::string& number) {
        array.number = number;
        array.folder.set_array(number);
    }

    void give_up(Array& array) {
        std::erase_if(tasks_, [&](const auto& entry) { return entry.second.array == &array; });
        array.folder.remove();
        arrays_.erase(std::string(array.folder.name()));
    }

    // The queue.

    void begin_poll() {
        polling_ = true;
        client_.call(queue_command(), [this, began = Clock::now()](const SlurmAnswer& answer) {
            polling_ = false;
            poll_.done();
            if (!answer.complaint.empty()) {
                trouble_ = "Slurm does not answer (squeue: " + answer.complaint +
                           "); running jobs go on and their results are taken, trying again";
                return;
            }
            trouble_.clear();
            compare(parse_queue(answer.output), began);
        });
    }

    /// What the queue, asked at `began`, says about our tasks.
    void compare(const Queue& queue, Clock::time_point began) {
        std::set<Array*> again;
        for (auto& [id, task] : tasks_) {
            Array& array = *task.array;
            if (array.submitting || array.tried > began) continue;
            if (const auto found = queue.find(array.folder.name()); !array.number && found != queue.end())
                number(array, found->second.begin()->second.array);
            if (array.number)
                compare(task, queue);
            else
                again.insert(&array);  // its sbatch did not get through, or its driver died before
        }
        for (Array* array : again) submit(*array);
    }

    static void compare(Task& task, const Queue& queue) {
        const auto array = queue.find(task.array->folder.name());
        const bool known = array != queue.end() && array->second.count(task.index) != 0;
        task.last = known ? array->second.at(task.index) : QueueEntry{*task.array->number, "", "", ""};
        if (known && !is_over(task.last.state)) {
            task.gone_since.reset();
            if (!is_waiting(task.last.state)) task.stage = Stage::running;
        } else if (!task.gone_since) {
            task.gone_since = Clock::now();
        }
    }

    // The folders.

    void scan() {
        const auto began = Clock::now();
        std::map<Array*, std::vector<TaskFolder::State>> seen;
        const std::size_t before = ended_.size();
        for (auto entry = tasks_.begin(); entry != tasks_.end();) {
            auto& [id, task] = *entry;
            if (seen.count(task.array) == 0) seen[task.array] = task.array->folder.states();
            auto finished = ending_of(id, task, seen[task.array][static_cast<std::size_t>(task.index)]);
            if (!finished) {
                ++entry;
                continue;
            }
            ended_.push_back(std::move(*finished));
            over_[id] = {task.array, task.index};
            entry = tasks_.erase(entry);
        }
        if (ended_.size() > before) scan_.restart();
        scan_.done();
        scan_.not_before(Clock::now() + 20 * (Clock::now() - began));  // at most a twentieth of the time
        ask_accounting();
    }

    /// Its result; or, if Slurm says it is over and no result has come in time, that it was ended.
    std::optional<Finished> ending_of(std::int64_t id, Task& task, const TaskFolder::State& state) {
        if (state.finished)
            if (auto finished = task.array->folder.result(task.index))
                return finished->ending == Ending::stopped ? ended_by_slurm(id, task) : finished;
        if (state.claimed) task.stage = Stage::running;
        if (!task.gone_since) return {};
        // One that nobody has claimed never ran, and with our claim it never will: no need to wait for its result.
        if (!state.claimed) task.never_ran = task.array->folder.claim(task.index, "given up: gone from the queue");
        if (!task.never_ran && !is_dead(task)) return {};
        if (task.last.state.empty() && task.array->number && accounting_ != Accounting::none &&
            asked_.count(name_of(task)) == 0) {
            unknown_.push_back(name_of(task));
            return {};
        }
        return ended_by_slurm(id, task);
    }

    /// Slurm's word is not enough: it calls tasks lost that run all the same (a node that was too busy to answer, a
    /// controller that forgot them when it was killed). A result that comes in time counts. Then the task is told to stop; one
    /// that says nothing to that either, while it has time to, is dead.
    bool is_dead(Task& task) const {
        const auto now = Clock::now();
        const auto patience = duration(options_.file_delay_seconds);
        if (!task.withdrawn && now - *task.gone_since > patience) {
            task.array->folder.withdraw(task.index);
            task.withdrawn = now;
        }
        return task.withdrawn && now - *task.withdrawn > patience;
    }

    Finished ended_by_slurm(std::int64_t id, const Task& task) const {
        Finished finished;
        finished.id = id;
        finished.ending = Ending::scheduler;
        finished.cause = cause_of(task);
        finished.error = task.array->folder.log(task.index);
        return finished;
    }

    std::string cause_of(const Task& task) const {
        QueueEntry entry = task.last;
        if (const auto found = asked_.find(name_of(task)); entry.state.empty() && found != asked_.end())
            entry = found->second;
        // Slurm keeps no record of a single task that was cancelled before it ran, nor of what a crash made it forget.
        std::string cause =
            entry.state.empty() ? task.never_ran ? "CANCELLED or lost before it ran" : "LOST" : entry.state;
        if (cause == "COMPLETED" || cause == "FAILED") cause += " without a result";
        cause += task.array->number ? " (Slurm job " + name_of(task) : " (its number in Slurm is not known";
        if (!entry.node.empty()) cause += " on " + entry.node;
        return cause + ")";
    }

    /// For tasks that squeue has forgotten; once each.
    void ask_accounting() {
        if (unknown_.empty() || accounting_ == Accounting::asking) return;
        accounting_ = Accounting::asking;
        const std::vector<std::string> tasks = std::exchange(unknown_, {});
        client_.call(accounting_command(tasks), [this, tasks](const SlurmAnswer& answer) {
            accounting_ = answer.complaint.empty() ? Accounting::ready : Accounting::none;
            const auto found = parse_accounting(answer.output);
            for (const std::string& name : tasks) asked_[name] = found.count(name) != 0 ? found.at(name) : QueueEntry{};
        });
    }

    // What others have left.

    void find_others() {
        for (const fs::path& path : arrays_in(options_.folder)) {
            if (arrays_.count(path.filename().string()) != 0) continue;
            auto folder = TaskFolder::open(path);
            if (!folder) continue;
            Array& array = know(std::move(*folder));
            array.tried = Clock::now();
            const auto states = array.folder.states();
            for (std::size_t i = 0; i < states.size(); ++i)
                if (!states[i].done) leave(array.folder.ids()[i], {&array, static_cast<int>(i)});
        }
    }

    /// Of several attempts the latest counts.
    void leave(std::int64_t id, Spot spot) {
        const auto [earlier, is_new] = others_.try_emplace(id, spot);
        if (is_new) return;
        const Spot superseded = std::exchange(earlier->second, spot);
        superseded.array->folder.withdraw(superseded.index);
        superseded.array->folder.mark_done(superseded.index);
    }

    void remove_if_done(Array* array) {
        const auto in_hand = [&](const auto& entry) { return entry.second.array == array; };
        if (std::any_of(tasks_.begin(), tasks_.end(), in_hand) || std::any_of(over_.begin(), over_.end(), in_hand))
            return;
        for (const TaskFolder::State& state : array->folder.states())
            if (!state.done) return;
        array->folder.remove();
        std::erase_if(others_, in_hand);
        arrays_.erase(array->folder.name());
    }

    enum class Accounting { ready, asking, none };

    const SlurmOptions options_;
    SlurmFolder folder_;
    SlurmClient client_;
    std::atomic<bool> woken_ = false;
    std::vector<Job> fresh_;  // started, not written yet
    std::map<std::string, Array> arrays_;
    std::map<std::int64_t, Task> tasks_;   // in hand
    std::map<std::int64_t, Spot> over_;    // returned by wait(), not forgotten
    std::map<std::int64_t, Spot> others_;  // left behind, not adopted
    std::vector<Finished> ended_;
    Rhythm submit_, poll_, scan_;
    bool polling_ = false;
    std::string trouble_;
    Accounting accounting_ = Accounting::ready;
    std::vector<std::string> unknown_;
    std::map<std::string, QueueEntry> asked_;
};

}  // namespace

std::unique_ptr<Executor> slurm(const SlurmOptions& options) {
    return std::make_unique<Slurm>(options);
}

}  // namespace summand::executor
