#!/usr/bin/env python3
"""Makes the shipped traces from logs of the Parallel Workloads Archive.

    make_traces.py sp   KTH-SP2-1996-2.1-cln.swf.gz   Resource.Trace1 Workload.Trace1
    make_traces.py ricc RICC-2010-2.swf.gz            Resource.Trace2 Workload.Trace2.gz

Trace 1 is an IBM SP of 195 uniprocessor nodes (guide 16.1) with four weeks of
the KTH log; trace 2 is the RIKEN cluster of 1,024 nodes with the whole May 2010.
Same input, same output: nothing here is random.  The head of each file that is
written says what is recorded and what is not.
"""
import gzip
import sys

ARCHIVE = "Parallel Workloads Archive, https://www.cs.huji.ac.il/labs/parallel/workload/"
DAY = 86400


class Job:
    def __init__(self, line):
        f = [int(float(x)) for x in line.split()]
        self.number, self.submit, self.wait, self.run = f[0], f[1], max(0, f[2]), f[3]
        self.procs = f[7] if f[7] > 0 else f[4]
        self.limit = f[8] if f[8] > 0 else self.run
        self.run = min(self.run, self.limit)
        self.cpu = f[5] if f[5] > 0 else self.run
        self.memory = -(-f[9] // 1024) if f[9] > 0 else 0  # MB a processor
        self.removed = f[10] == 5
        self.user, self.group, self.queue = f[11], f[12], f[14]


def read_log(path):
    header, jobs = {}, []
    with gzip.open(path, "rt", errors="replace") as log:
        for line in log:
            if line.startswith(";"):
                key, _, value = line[1:].partition(":")
                header.setdefault(key.strip(), value.strip())
            elif line.strip():
                jobs.append(Job(line))
    jobs = [j for j in jobs if j.run > 0 and j.procs > 0]
    jobs.sort(key=lambda j: j.submit)
    return header, jobs


def write(path, lines):
    text = ("\n".join(lines) + "\n").encode()
    if path.endswith(".gz"):
        with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
            out.write(text)
    else:
        with open(path, "wb") as out:
            out.write(text)


def notes(header, log, text):
    """Comment lines that name the source, with the acknowledgement that it asks for."""
    source = [
        f"Made by make_traces.py from {log}, {ARCHIVE}",
        f"Computer: {header['Computer']}",
        f"Installation: {header['Installation']}",
        f"Acknowledge: {header['Acknowledge']}; conversion: {header['Conversion']}",
    ]
    return ["VERSION 230"] + ["# " + line for line in source + text.strip().splitlines()]


def node(name, swap, memory, disk, procs, frame, slot, slots, system, arch, features, classes,
         networks):
    return (f"COMPUTENODE AVAILABLE 0 {name} [NONE] {swap} {memory} {disk} {procs} {frame} {slot} "
            f"{slots} {system} {arch} {features} {classes} {networks} 1.0 [NONE] [NONE] [NONE]")


def record(name, nodes, job, submit, user, job_class, network, arch, system, memory, per_task):
    start = submit + job.wait
    state = "Removed" if job.removed else "Completed"
    return (f"{name} {nodes} {job.procs} {user} g{job.group} {job.limit} {state} {job_class} "
            f"{submit} {start} {start} {start + job.run} {network} {arch} {system} >= {memory} >= 0 "
            f"[NONE] {submit} {job.procs} -1 [NONE] [NONE] [NONE] [NONE] [NONE] 0 "
            f"{float(job.cpu * job.procs):.2f} [DEFAULT] 1 {per_task} 0 0 0 0 [NONE] [NONE] [NONE] "
            f"[NONE] [NONE] [NONE] [NONE]")


SP_NODES = """
The machine is not recorded: it is made up as the IBM SP of guide 16.1.  13 frames of 14 thin nodes
and a wide one, frNnMM for frame N, slot MM; memory 512 MB, but 1024 on wide nodes and on the thin
nodes of frames 1 and 2, and 256 in slots 7 to 12 of frames 9, 10 and 11."""

SP_JOBS = """
Jobs of four weeks from 14 October 1996.  As recorded: number, processors, wallclock limit, run
time, state, user, group, order of submission.  The log's machine has 100 processors: the time
between submissions is divided by 1.95, so that the load on each of the 195 processors is the log's.
Not recorded, and set from the user's number alone: memory on the node (single-processor jobs 512 MB
where the number can be divided by 3, else none where it can by 7, else 256 MB; parallel jobs 256 MB
where it can by 4), the host from which the job was submitted, which its name begins with (fr8n01
for even numbers, else fr1n04).  Parallel jobs ask for the switch."""


def sp(header, jobs, log, resource, workload):
    nodes = notes(header, log, SP_NODES)
    for frame in range(1, 14):
        for slot in range(1, 16):
            wide = slot == 15
            memory = 1024 if wide or frame <= 2 else 512
            if frame in (9, 10, 11) and 7 <= slot <= 12:
                memory = 256
            nodes.append(node(f"fr{frame}n{slot:02}", 2 * memory, memory, 9000 if wide else 4500, 1,
                              frame, slot, 2 if wide else 1, "AIX43", "R6000",
                              "[Wide]" if wide else "[Thin]", "[batch:1]", "[ethernet][hps_user]"))
    write(resource, nodes)

    first = 3 * 7 * DAY
    origin = int(header["UnixStartTime"]) + first
    lines = notes(header, log, SP_JOBS)
    for job in jobs:
        if not first <= job.submit < first + 28 * DAY:
            continue
        if job.procs == 1:
            memory = 512 if job.user % 3 == 0 else 0 if job.user % 7 == 0 else 256
        else:
            memory = 256 if job.user % 4 == 0 else 0
        host = "fr8n01" if job.user % 2 == 0 else "fr1n04"
        submit = origin + (job.submit - first) * 100 // 195
        lines.append(record(f"{host}.{job.number}.0", job.procs, job, submit, f"u{job.user}",
                            "[batch:1]", "hps_user" if job.procs > 1 else "ethernet", "R6000",
                            "AIX43", memory, 0))
    write(workload, lines)


RICC_MEMORY = 12288  # MB on a node
RICC_NODES = f"""
1,024 nodes of 8 processors, as the log's header says; {RICC_MEMORY} MB of memory a node is made up."""

RICC_JOBS = """
All jobs submitted in May 2010 (time of Tokyo).  As recorded: number, processors, wallclock limit,
run time, state, user, group, times, and the memory that each processor asks for, which is dedicated
to each task.  Nodes are shared by jobs: NODEACCESSPOLICY SHARED."""


def ricc(header, jobs, log, resource, workload):
    nodes = notes(header, log, RICC_NODES)
    for number in range(1, 1025):
        nodes.append(node(f"ricc{number:04}", 16384, RICC_MEMORY, 100000, 8, -1, -1, 1, "Linux",
                          "x86_64", "[NONE]", "[batch:8]", "[infiniband]"))
    write(resource, nodes)

    start = int(header["UnixStartTime"])
    may_begins, may_ends = 1272639600, 1275318000  # 1 May and 1 June 2010, 00:00 in Tokyo
    lines = notes(header, log, RICC_JOBS)
    for job in jobs:
        if not may_begins <= start + job.submit < may_ends:
            continue
        fits = RICC_MEMORY // job.memory if job.memory else 8
        if job.procs > 1024 * min(8, fits):
            sys.exit(f"job {job.number}: {job.procs} processors of {job.memory} MB fit no machine")
        lines.append(record(str(job.number), 0, job, start + job.submit, f"u{job.user}",
                            "[batch:1]", "[NONE]", "[NONE]", "[NONE]", 0, job.memory))
    write(workload, lines)


def main():
    kinds = {"sp": sp, "ricc": ricc}
    if len(sys.argv) != 5 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    kind, log, resource, workload = sys.argv[1:]
    header, jobs = read_log(log)
    kinds[kind](header, jobs, log.rsplit("/", 1)[-1], resource, workload)


main()
