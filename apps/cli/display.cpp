// SPDX-License-Identifier: Apache-2.0
#include "display.hpp"

#include "study_argument.hpp"
#include "summand/study/json.hpp"
#include "summand/study/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

namespace summand::cli {

using Json = nlohmann::ordered_json;

namespace {

/// https://no-color.org: set and not empty, whatever its value.
bool wants_color() {
    const char* no_color = std::getenv("NO_COLOR");
    return no_color == nullptr || *no_color == '\0';
}

/// The text in a colour (or bold), if colours are wanted.
std::string painted(const char* code, const std::string& text) {
    static const bool color = wants_color();
    return color ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}
constexpr const char *bold = "1", *red = "31", *green = "32", *yellow = "33";

bool begins_character(char c) {  // of UTF-8
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

int columns_of(const std::string& text) {
    return static_cast<int>(std::count_if(text.begin(), text.end(), begins_character));
}

/// The text cut to so many columns, with an ellipsis if there was more. Counts the first bytes of UTF-8 characters; escape
/// sequences take no room.
std::string cut(const std::string& text, int columns) {
    std::string kept;
    std::size_t fits = 0;  // bytes that leave room for the ellipsis
    int used = 0;
    bool escape = false;
    for (const char c : text) {
        if (c == '\033') escape = true;
        const bool shows = !escape && begins_character(c);
        if (shows && used == columns - 1) fits = kept.size();
        if (shows && ++used > columns) return kept.substr(0, fits) + painted("0", "…");
        kept += c;
        if (escape && std::isalpha(static_cast<unsigned char>(c)) != 0) escape = false;
    }
    return kept;
}

std::string bar(double share, int width) {
    const int full = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
    std::string text;
    for (int i = 0; i < width; ++i) text += i < full ? "█" : "░";
    return text;
}

/// Counts of the study without asking the database each time: it is asked once and after each ask.
struct Tally {
    explicit Tally(Study& study) { refresh(study); }

    void refresh(Study& study) {
        counts = study.counts();
        best = study.best();
    }

    void finished(const Study& study, const Trial& trial, const Outcome& outcome) {
        const auto* value = std::get_if<double>(&outcome);
        ++(value != nullptr ? counts.completed : counts.failed);
        if (value == nullptr || (best && !better(study.options().goal, *value, *best->value))) return;
        best = trial;
        best->value = *value;
    }

    std::int64_t done() const { return counts.completed + counts.failed - counts.added; }

    storage::Counts counts = {};
    std::optional<Trial> best = {};
};

class LiveDisplay final : public RunObserver {
  public:
    LiveDisplay(Study& study, std::ostream& out) : study_(study), out_(out), tally_(study), before_(tally_.done()) {}

    ~LiveDisplay() override {
        over_ = true;
        draw();
    }

    void asked(const std::vector<Trial>&) override {
        tally_.refresh(study_);
        groups_ = in_short(study_.structure());
    }

    void finished(const Trial& trial, const Outcome& outcome, double) override {
        tally_.finished(study_, trial, outcome);
        if (const auto* failed = std::get_if<Failed>(&outcome))
            last_failure_ = "trial " + std::to_string(trial.id) + ": " + failed->reason;
    }

    void warned(const std::string& sentence) override { warning_ = sentence; }

    void tick(const RunProgress& progress) override {
        const bool news = progress.running != progress_.running || progress.asking != progress_.asking;
        progress_ = progress;
        if (progress.seconds - drawn_ < (news ? 0.05 : 0.25)) return;
        drawn_ = progress.seconds;
        draw();
    }

  private:
    /// The name, a bar, the count, the time: what does not fit is left out, the count last of all.
    std::string progress_line(int width) const {
        const auto budget = study_.settings().budget;
        const std::int64_t done = tally_.done();
        const std::string count = std::to_string(done) + (budget ? " of " + std::to_string(*budget) : "") + " trials";
        std::string time = ", " + study::format_duration(progress_.seconds), left;
        const std::int64_t here = done - before_;
        if (budget && here > 0 && done < *budget && !over_)
            left = ", about " +
                   study::format_duration(progress_.seconds / static_cast<double>(here) *
                                          static_cast<double>(*budget - done)) +
                   " left";
        const int room = width - columns_of(count) - 2;
        const int named = room - columns_of(study_.name());
        if (named < columns_of(time + left)) left.clear();
        if (named < columns_of(time)) time.clear();
        std::string line = painted(bold, cut(study_.name(), std::max(room, 4))) + "  ";
        const int length = std::min(named - columns_of(time + left) - 2, 30);
        if (budget && length >= 8) line += bar(static_cast<double>(done) / static_cast<double>(*budget), length) + "  ";
        return line + count + time + left;
    }

    std::string state_line() const {
        std::string line =
            "running     " + std::to_string(progress_.running.size()) + " of " + std::to_string(progress_.workers);
        if (!progress_.running.empty()) {
            line += " (trial";
            for (std::size_t i = 0; i < progress_.running.size() && i < 8; ++i)
                line += " " + std::to_string(progress_.running[i]);
            line += progress_.running.size() > 8 ? " ...)" : ")";
        }
        if (!progress_.queued.empty()) line += "   waiting in the queue " + std::to_string(progress_.queued.size());
        line += "   failed " + std::to_string(tally_.counts.failed);
        if (!last_failure_.empty()) line += " (" + painted(red, last_failure_) + ")";
        return line;
    }

    std::string suggestion_line() const {
        std::string line = "suggestion  ";
        if (progress_.last_ask_seconds > 0.0) line += study::format_duration(progress_.last_ask_seconds) + " each";
        return line + (progress_.asking ? "  thinking ..." : "");
    }

    void draw() {
        const int width = terminal_width(STDERR_FILENO, 21);
        std::vector<std::string> lines = {progress_line(width), state_line()};
        lines.push_back("best        " + (tally_.best ? painted(green, short_number(*tally_.best->value)) + " (trial " +
                                                            std::to_string(tally_.best->id) + ")"
                                                      : std::string("none yet")));
        lines.push_back(suggestion_line());
        lines.push_back("groups      " + groups_);
        if (!warning_.empty()) lines.push_back(painted(yellow, "warning") + "     " + warning_);
        if (!progress_.trouble.empty()) lines.push_back(painted(yellow, progress_.trouble));
        if (progress_.stopping && !over_)
            lines.push_back(painted(yellow, "stopping: waiting for the running trials; Ctrl-C once more kills them"));
        std::string text;
        if (height_ > 0) text += "\033[" + std::to_string(height_) + "A";
        for (const std::string& line : lines) text += "\r\033[2K" + cut(line, width) + "\n";
        text += "\033[J";
        height_ = static_cast<int>(lines.size());
        out_ << text << std::flush;
    }

    Study& study_;
    std::ostream& out_;
    Tally tally_;
    std::int64_t before_;
    RunProgress progress_;
    std::string groups_ = "not learned yet";
    std::string last_failure_;
    std::string warning_;
    double drawn_ = -1.0;
    bool over_ = false;
    int height_ = 0;
};

class PlainLines final : public RunObserver {
  public:
    PlainLines(Study& study, std::ostream& out) : study_(study), out_(out), tally_(study) {}

    void tick(const RunProgress& progress) override {
        if (progress.trouble == trouble_) return;
        trouble_ = progress.trouble;
        out_ << (trouble_.empty() ? "Slurm answers again" : trouble_) << std::endl;
    }

    void retried(const Trial& trial, const std::string& reason) override {
        out_ << "trial " << trial.id << ": " << reason << "; trying again" << std::endl;
    }

    void warned(const std::string& sentence) override { out_ << "warning: " << sentence << std::endl; }

    void finished(const Trial& trial, const Outcome& outcome, double seconds) override {
        tally_.finished(study_, trial, outcome);
        out_ << "trial " << trial.id;
        if (const auto budget = study_.settings().budget) out_ << " (" << tally_.done() << " of " << *budget << ")";
        if (const auto* value = std::get_if<double>(&outcome))
            out_ << ": " << short_number(*value);
        else
            out_ << " failed: " << std::get<Failed>(outcome).reason;
        if (tally_.best) out_ << ", best " << short_number(*tally_.best->value) << " (trial " << tally_.best->id << ")";
        out_ << ", " << study::format_duration(seconds) << std::endl;
    }

  private:
    Study& study_;
    std::ostream& out_;
    Tally tally_;
    std::string trouble_;
};

class JsonLines final : public RunObserver {
  public:
    JsonLines(Study& study, std::ostream& out) : study_(study), out_(out) {}

    void asked(const std::vector<Trial>& trials) override {
        for (const Trial& trial : trials)
            print({{"event", "asked"},
                   {"id", trial.id},
                   {"attempt", trial.attempt},
                   {"parameters",
                    Json::parse(study::point_to_json(study_.space(), trial.values, study_.settings().literals))}});
    }

    void retried(const Trial& trial, const std::string& reason) override {
        print({{"event", "retried"}, {"id", trial.id}, {"reason", reason}});
    }

    void warned(const std::string& sentence) override { print({{"event", "warning"}, {"sentence", sentence}}); }

    void finished(const Trial& trial, const Outcome& outcome, double seconds) override {
        if (const auto* value = std::get_if<double>(&outcome))
            print({{"event", "completed"}, {"id", trial.id}, {"value", *value}, {"seconds", seconds}});
        else
            print({{"event", "failed"},
                   {"id", trial.id},
                   {"reason", std::get<Failed>(outcome).reason},
                   {"seconds", seconds}});
    }

  private:
    void print(const Json& json) { out_ << json.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl; }

    Study& study_;
    std::ostream& out_;
};

}  // namespace

int terminal_width(int descriptor, int least) {
    winsize size{};
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= least ? size.ws_col : 80;
}

bool can_redraw() {
    const char* terminal = std::getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && terminal != nullptr && *terminal != '\0' && std::string(terminal) != "dumb";
}

std::unique_ptr<RunObserver> live_display(Study& study, std::ostream& out) {
    return std::make_unique<LiveDisplay>(study, out);
}
std::unique_ptr<RunObserver> plain_lines(Study& study, std::ostream& out) {
    return std::make_unique<PlainLines>(study, out);
}
std::unique_ptr<RunObserver> json_lines(Study& study, std::ostream& out) {
    return std::make_unique<JsonLines>(study, out);
}

}  // namespace summand::cli
