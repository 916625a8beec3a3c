# The scheduler in front of OpenPBS, as the fake PBS server has it.
family=openpbs
. "$(dirname "$0")/pbs_walk.sh"
