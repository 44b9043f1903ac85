# shellcheck shell=bash disable=SC2034 # The rooms use the variables.
# The `run` of each room sources this in the root of the repository: it installs, builds, and sets the environment.
tests/install
. tests/environment.sh
program="$(tests/program)"
