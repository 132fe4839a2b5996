// SPDX-License-Identifier: Apache-2.0
#include "summand/study/definition.hpp"

namespace summand {

std::string example_study_file(const std::string& name) {
    return "# A study for Summand: which program to run, its parameters, and how long. Start it with: summand run " +
           name +
           ".toml\n"
           "# Stop it with Ctrl-C whenever you like; the same command goes on where it stopped.\n\n"
           "name = \"" +
           name + "\"\n" + R"toml(goal = "minimize"                    # or "maximize"
budget = 50                          # trials in all
# optimum = 0.0                      # the best value there is, if it is known: reports then show the regret

# The program and its arguments; {name} stands for the value of a parameter. There is no shell in between.
# Its last line of output that is a number is the result. Braces that mean themselves are doubled.
command = ["awk", "-v", "x={x}", "-v", "n={count}", 'BEGIN {{ printf "%.15g\n", (x - 1) ^ 2 + n }}']

# How else the program can get its parameters: "stdin" and "file" give it a JSON object, "environment" variables SUMMAND_x.
# input = "arguments"
# directory = "."                    # where it runs, seen from this file; "work/{trial}" is one for each trial
# database = "study.db"              # where everything is kept, this by default; or "postgresql://user@host/database"

# [result]
# from = "stdout"                    # "json": a field of a JSON object on stdout; "file": the file {result} (or `file`)
# field = "score"                    # with from = "json" or "file"; "a.b" is field b of a
# prefix = "loss:"                   # the number after this, in the last line that begins with it
# pattern = 'loss=(\S+)'             # the number in the parentheses of a regular expression, in the last line it fits
# also = { accuracy = "accuracy:" }  # further values to keep and show, found in the same way

[run]
# stop_after = "2h"                  # of wall time; the next `summand run` goes on
# target = 0.001                     # a value this good ends the run
# executor = "local"                 # or "slurm", with its options in [run.slurm]: docs/clusters.md
# workers = 2                        # programs at a time; default: the batch size, at most one for each core
# asynchronous = false               # true: suggest a point as soon as a worker is free; false: batch by batch
# time_limit = "10m"                 # for one evaluation; then it and all it has started are killed
# memory_limit = "2GB"               # for each process
# retries = 0                        # further attempts after a failure
# give_up_after = 10                 # end the run if its first attempts, so many of them, all fail
# lease = "1d"                       # trials of `summand ask` that nobody answers in this time are issued again

[optimizer]
batch_size = 2                       # points suggested at a time
seed = 1                             # the same seed and the same results give the same suggestions
# preset = "default"                 # or "paper-sequential", "paper-batch"

[parameters]
x = { type = "real", low = -5.0, high = 5.0 }
count = { type = "integer", low = 1, high = 64, scale = "log" }
# rate = { low = 1e-5, high = 0.1 }  # without a type: whole bounds make an integer, a ratio of 1000 a log scale
# fast = { type = "bool" }
# flag = { values = ["", "--fast"] } # "" leaves out the argument in which {flag} stands
# solver = { type = "choice", values = ["sgd", "adam"] }
# width = { type = "levels", values = [16, 32, 64, 128] }

# [[start]]                          # settings to evaluate before any suggestion; as many of these tables as you like
# x = 0.0
# count = 8
)toml";
}

}  // namespace summand
