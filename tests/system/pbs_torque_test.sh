# The scheduler in front of TORQUE, as the fake PBS server has it.
family=torque
. "$(dirname "$0")/pbs_walk.sh"
