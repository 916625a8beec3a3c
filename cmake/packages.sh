# Sourced by testdrive and check: installs what the build needs from Debian's packages.

readonly BUILD_PACKAGES="g++ cmake ninja-build libboost-dev libfmt-dev libspdlog-dev libssl-dev
  nlohmann-json3-dev prometheus-cpp-dev zlib1g-dev libjemalloc-dev
  libsqlite3-dev libmunge-dev libre2-dev"
readonly TEST_PACKAGES="python3 libgtest-dev libgmock-dev libbenchmark-dev munge"

readonly SLURM_PACKAGES="slurm-wlm slurmctld slurmd libslurm-dev slurmdbd mariadb-server-core"

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# need_packages NAME...: all of them are there when it returns.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system; what is needed is called there: $*" >&2
    return
  fi
  local package missing=()
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    echo "These packages are missing: ${missing[*]}" >&2
    echo "Have them installed (apt-get install ${missing[*]}), then start $0 again." >&2
    exit 1
  fi
  echo "Installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update -q && apt-get install -q -y --no-install-recommends "${missing[@]}"; }; then
    echo "apt-get could not install ${missing[*]}" >&2
    exit 1
  fi
}

# configure PRESET OPTION...: cmake's configuration step, with ccache where there is one.
configure() {
  local preset=$1 launcher=()
  shift
  command -v ccache >/dev/null && launcher=(
    "-DCMAKE_CXX_COMPILER_LAUNCHER=env;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache")
  cmake --preset "$preset" "${launcher[@]}" "$@"
}
