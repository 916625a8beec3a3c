# etc/native/lsf with output of LSF's commands as its documentation has it: written from that, not recorded.
# The adapter's output, and its requests to LSF.
. "$(dirname "$0")/live_support.sh"
lsf=$(cd "$(dirname "$0")/../../etc/native" && pwd)/lsf
export TZ=UTC
mkdir lsf.bin tools
PATH=$MAUIHOMEDIR/lsf.bin:$PATH

# prints COMMAND: what it prints, from standard input; each call is noted.
prints() {
  cat >"lsf.bin/$1.txt"
  printf '#!/bin/sh\necho "%s $*" >>"%s/told"\nexec cat "%s/lsf.bin/%s.txt"\n' \
    "$1" "$MAUIHOMEDIR" "$MAUIHOMEDIR" "$1" >"lsf.bin/$1"
  chmod 755 "lsf.bin/$1"
}
prints bhosts <<'END'
HOST_NAME          STATUS       JL/U    MAX  NJOBS    RUN  SSUSP  USUSP    RSV
hosta              ok              -      8      2      2      0      0      0
hostb              closed_Adm      -      4      0      0      0      0      0
hostc              unreach         -      -      0      0      0      0      0
hostd              closed_Full     -      2      2      2      0      0      0
END
prints lshosts <<'END'
HOST_NAME                       type       model  cpuf ncpus maxmem maxswp server RESOURCES
hosta                         X86_64 Intel_EM64T  60.0     8  15.5G   3.9G    Yes (mg)
hostb                         X86_64 Intel_EM64T  60.0     4  7980M      -    Yes ()
hostc                         X86_64 Intel_EM64T  60.0    16  31.2G   3.9G    Yes ()
hostd                         X86_64 Intel_EM64T  60.0     2   512M      -    Yes ()
END
prints bqueues <<'END'
QUEUE_NAME      PRIO STATUS          MAX JL/U JL/P JL/H NJOBS  PEND   RUN  SUSP  RSV
normal           30  Open:Inact        -    -    -    -     3     2     1     0    0
night            20  Open:Inact        -    -    -    -     0     0     0     0    0
END
prints bjobs <<'END'
101|0|RUN|ann|users|normal|a "long" job|proj|2|60.0|512 M|2*hosta|Nov 20 10:00:00 2026|Nov 20 10:01:00 2026|Nov 20 11:01:00 2026 L|-
102|0|PEND|bob|-|normal|wide|default|3|30.0|-|-|Nov 20 10:05:00 2026|-|-|-
103|0|PSUSP|bob|-|night|held|default|1|-|-|-|Nov 20 10:06:00 2026|-|-|-
104|7|DONE|ann|-|normal|task|default|1|-|-|hosta|Nov 20 09:00:00 2026|Nov 20 09:10:00 2026|Nov 20 09:20:00 2026|0
105|0|EXIT|ann|-|normal|bad|default|1|-|-|hosta|Nov 20 09:00:00 2026|Nov 20 09:10:00 2026|Nov 20 09:11:00 2026|3
END
for command in brun bkill bstop bresume brequeue bmod badmin; do prints $command <<<"Job is being dealt with"; done

same() { diff <(cat) <("$lsf" "$1") || fail "$1 is not as expected"; }
same nodes <<'END'
hosta STATE="Idle" CPROC="8" CCLASS="[normal:8][night:8]" CMEMORY="15872" CSWAP="3993" ARCH="X86_64"
hostb STATE="Drained" CPROC="4" CCLASS="[normal:4][night:4]" CMEMORY="7980" ARCH="X86_64"
hostc STATE="Down" CPROC="16" CCLASS="[normal:16][night:16]" CMEMORY="31948" CSWAP="3993" ARCH="X86_64"
hostd STATE="Idle" CPROC="2" CCLASS="[normal:2][night:2]" CMEMORY="512" ARCH="X86_64"
END
same jobs <<'END'
101 STATE="Running" UNAME="ann" GNAME="users" ACCOUNT="proj" RCLASS="normal" NAME="a 'long' job" QUEUETIME="1795168800" WCLIMIT="3600" TASKS="2" DMEM="512" TASKLIST="hosta:hosta" STARTTIME="1795168860"
102 STATE="Idle" UNAME="bob" ACCOUNT="default" RCLASS="normal" NAME="wide" QUEUETIME="1795169100" WCLIMIT="1800" TASKS="3"
103 STATE="Hold" UNAME="bob" ACCOUNT="default" RCLASS="night" NAME="held" QUEUETIME="1795169160" TASKS="1"
104[7] STATE="Completed" UNAME="ann" ACCOUNT="default" RCLASS="normal" NAME="task" QUEUETIME="1795165200" TASKS="1" TASKLIST="hosta" STARTTIME="1795165800" COMPLETETIME="1795166400" EXITCODE="0"
105 STATE="Removed" UNAME="ann" ACCOUNT="default" RCLASS="normal" NAME="bad" QUEUETIME="1795165200" TASKS="1" TASKLIST="hosta" STARTTIME="1795165800" COMPLETETIME="1795165860" EXITCODE="3"
END

: >told
"$lsf" start 102 hosta,hostd,hosta bob >/dev/null || fail "start"
"$lsf" cancel 102 >/dev/null || fail "cancel"
"$lsf" requeue '104[7]' >/dev/null || fail "requeue"
"$lsf" suspend 101 >/dev/null && "$lsf" resume 101 >/dev/null || fail "suspend or resume"
"$lsf" modify 102 --set WCLIMIT=3601 >/dev/null || fail "modify"
"$lsf" node hosta --set STATE=Drained >/dev/null && "$lsf" node hosta --set STATE=Idle >/dev/null || fail "node"
diff - told <<'END' || fail "LSF was told otherwise"
brun -m hosta#2 hostd#1 102
bkill 102
brequeue 104[7]
bstop 101
bresume 101
bmod -W 61 102
badmin hclose hosta
badmin hopen hosta
END

# A request that LSF refuses is refused, in its words; that there is no job is no failure.
printf '#!/bin/sh\necho "Job <102>: Job has already started" >&2; exit 255\n' >lsf.bin/brun
expect 1 'Job has already started' "$lsf" start 102 hosta bob
printf '#!/bin/sh\necho "No job found" >&2; exit 255\n' >lsf.bin/bjobs
expect 0 '' "$lsf" jobs
printf '#!/bin/sh\necho "LSF is down. Please wait ..." >&2; exit 255\n' >lsf.bin/bjobs
expect 1 'LSF is down' "$lsf" jobs
verdict
