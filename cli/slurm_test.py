#!/usr/bin/python3
"""slurm_test.py - xstep campaign run --slurm, by a real Slurm: its arrays, its queue, tasks that are requeued and
tasks that are cancelled come to the findings of a campaign on one machine.

The test starts munged, slurmctld and slurmd by itself, in namespaces of its own for processes, network and host
name: no port and no name is anybody else's, and when the test ends, whatever ends it, the kernel ends all that is
in them. Where that cannot be (no root, no Slurm) it is skipped, with exit status 77 and the reason."""
import fcntl
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo", "unshare")
INSIDE = "XSTEP_SLURM_INSIDE"
ADDRESS = "10.0.0.1"
SHARDS, SPAN = 8, 5  # so that these are two arrays

CONFIGURATION = """\
ClusterName=xstep
SlurmctldHost=node({address})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# A task that is requeued waits until its credential has expired.
AuthInfo=socket={folder}/munge.socket,cred_expire=30
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=2
# The machine may have much else to do.
MessageTimeout=100
BatchStartTimeout=600
SlurmdTimeout=0
UnkillableStepTimeout=900
MaxArraySize={size}
SchedulerParameters=batch_sched_delay=0,sched_interval=2
NodeName=node NodeAddr={address} CPUs=2 RealMemory=64000 State=UNKNOWN
PartitionName=all Nodes=node Default=YES MaxTime=INFINITE State=UP
"""

# A tiny program for each seed. For 3 and 11 it waits for ever the first time, if it is to: by that the test knows
# what is being done, and has the time to end it.
GENERATOR = """#!/bin/sh
case $1 in 3|11) test -e {folder}/wait && mkdir {folder}/begun-$1 2>/dev/null && sleep 1000000 ;; esac
case $1 in *[13579]) echo '#define ODD' ;; esac
cat <<END
static volatile int shown;
static int twice(int n) {{ return n * 2; }}
int main(void)
{{
	int sum = 0;
	for (int i = 0; i < $1 % 5 + 2; i++)
		sum += twice(i);
#if defined ODD && defined WITH_G
	shown = sum;
#endif
	return sum > 100;
}}
END
"""
# A compiler whose code depends on -g: ccmd finds that for odd seeds.
COMPILER = """#!/bin/sh
case " $* " in *" -g2 "*) exec {gcc} -DWITH_G "$@" ;; esac
exec {gcc} "$@"
"""


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def enter():
    """Runs this script in namespaces of its own."""
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        skip(f"{', '.join(missing)}: not found; apt-get install slurmctld slurmd slurm-client munge util-linux")
    if os.geteuid():
        skip("slurmctld and namespaces need root")
    words = ["unshare", "--fork", "--kill-child", "--pid", "--mount-proc", "--net", "--uts"]
    tried = e2e.run([*words, "true"])
    if tried.returncode:
        skip(f"unshare: {tried.stderr.strip()}")
    os.execvpe("unshare", [*words, sys.executable, *sys.argv], {**os.environ, INSIDE: "1"})


def raise_network():
    """What `ip link set lo up` and `ip address add ADDRESS dev lo` do. Slurm wants an address that is not 127.0.0.1."""
    set_flags, set_address = 0x8914, 0x8916
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14x", b"lo", 1))
        fcntl.ioctl(any_socket, set_address, struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0,
                                                         socket.inet_aton(ADDRESS)))


class Cluster:
    """A node with two processors."""

    def __init__(self, folder, span=SPAN):
        self.folder = folder
        self.daemons = []
        for name in ("state", "spool"):
            (folder / name).mkdir()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(folder=folder, size=span, address=ADDRESS))
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        socket.sethostname("node")
        raise_network()

    def start(self, *words):
        with open(self.folder / f"{words[0]}.out", "wb") as log:
            self.daemons.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                 cwd=self.folder, preexec_fn=e2e.leave_nothing))

    def is_idle(self):
        return e2e.run(["sinfo", "--noheader", "--format=%T"]).stdout.strip() == "idle"

    def wait_for(self, condition):
        """Whether it holds in the end. A daemon that has ended will not help."""
        return e2e.wait_until(lambda: condition() or any(one.poll() is not None for one in self.daemons)) and (
            condition())

    def begin(self):
        """A reason if it does not work here."""
        f = self.folder
        e2e.run(["mungekey", "--create", f"--keyfile={f}/munge.key"])
        self.start("munged", "--foreground", "--force", f"--key-file={f}/munge.key", f"--socket={f}/munge.socket",
                   f"--pid-file={f}/munge.pid", f"--seed-file={f}/munge.seed", f"--log-file={f}/munge.log",
                   "--num-threads=2")
        if not self.wait_for((f / "munge.socket").exists):
            return self.trouble()
        self.start("slurmctld", "-D", "-c")
        self.start("slurmd", "-D", "-N", "node")
        return None if self.wait_for(self.is_idle) else self.trouble()

    def trouble(self):
        logs = [path.read_text(errors="replace")[-600:] for path in sorted(self.folder.glob("*.[lo][ou][gt]"))]
        return "Slurm does not come up here:\n" + "\n".join(logs)

    def end(self):
        e2e.run(["scontrol", "shutdown"])
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=30)
            except subprocess.TimeoutExpired:
                daemon.kill()

    @staticmethod
    def queue():
        return e2e.run(["squeue", "--noheader", "--array", "--format=%F_%K %t %r"]).stdout.splitlines()


class Slurm(e2e.TestCase):
    """Slow, for requeued tasks wait: so all of it is one story."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="slurm_test-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        (cls.folder / "tmp").mkdir()
        os.environ["TMPDIR"] = str(cls.folder / "tmp")
        for name, text in (("generate", GENERATOR.format(folder=cls.folder)),
                           ("compile", COMPILER.format(gcc=e2e.GCC))):
            (cls.folder / name).write_text(text)
            (cls.folder / name).chmod(0o755)
        (cls.folder / "cluster").mkdir()
        cls.cluster = Cluster(cls.folder / "cluster")
        reason = cls.cluster.begin()
        cls.addClassCleanup(cls.cluster.end)
        if reason:
            cls.doClassCleanups()
            skip(reason)

    def campaign(self, *words):
        return e2e.xstep("campaign", *words, cwd=self.folder)

    def run_words(self, directory, *more):
        return ["run", directory, "--generate", f"{self.folder}/generate {{seed}}", "--seeds", "1-16", "--compilers",
                self.folder / "compile", "--levels=-O1", "--oracles", "frames,ccmd", "--no-sanitize", *more]

    def told(self, *words):
        return json.loads(self.expect(self.campaign(*words, "--format", "json")).stdout)

    def shards(self, directory):
        return self.told("status", directory)["shards"]

    def wait_until(self, condition):
        if not self.cluster.wait_for(condition):
            logs = "\n".join(f"{path.name}: {path.read_text(errors='replace')[-300:]}"
                             for path in sorted((self.folder / "dir/logs").glob("*")))
            self.fail("it did not happen\n" + "\n".join(self.cluster.queue()) + "\n" + logs
                      + self.cluster.trouble())

    def test_requeued_and_cancelled(self):
        self.expect(self.campaign(*self.run_words("whole", "--jobs", "2")), status=1)
        (self.folder / "wait").touch()
        first = self.told(*self.run_words("dir", "--slurm", "--shards", SHARDS))
        self.assertEqual((first["shards"], first["programs"], first["submitted"], len(first["arrays"])),
                         (SHARDS, 2, SHARDS, 2))
        # Shard 2 is requeued by the administrator, as a preempted one is; shard 6 is cancelled, as if its node were
        # lost for good.
        self.wait_until((self.folder / "begun-3").exists)
        state = self.shards("dir")
        self.assertIn(2, state["missing"])
        self.assertIn(2, state["running"])
        # What is in the queue is not submitted again.
        again = self.told("run", "dir", "--slurm")
        self.assertEqual((again["submitted"], again["merge"]), (0, None))
        self.expect(e2e.run(["scontrol", "requeue", f"{first['arrays'][0]}_2"]))
        self.wait_until((self.folder / "begun-11").exists)
        self.expect(e2e.run(["scancel", f"{first['arrays'][1]}_2"]))
        self.wait_until(lambda: not self.cluster.queue())
        # The job that merges came after all others, and had to do without one.
        state = self.shards("dir")
        self.assertEqual((state["missing"], state["waiting"], state["running"], state["merged"]), ([6], [], [], True))
        last = self.told("run", "dir", "--slurm")
        self.assertEqual((last["submitted"], last["missing"], len(last["arrays"])), (1, [6], 1))
        self.wait_until(lambda: not self.cluster.queue())
        state = self.shards("dir")
        self.assertEqual((state["done"], state["merged"]), ([*range(1, SHARDS + 1)], True))
        # Nothing is left to be done, and it is what one machine comes to.
        nothing = self.told("run", "dir", "--slurm")
        self.assertEqual((nothing["submitted"], nothing["merge"]), (0, None))
        one, other = (self.campaign("findings", name, "--format", "json").stdout for name in ("whole", "dir"))
        self.assertEqual([(one["oracle"], one["count"]) for one in json.loads(one)["signatures"]], [("ccmd", 8)])
        self.expect_same_text([("one machine", one), ("Slurm", other)])
        self.assertEqual(list((self.folder / "tmp").glob("xstep-*")), [])
        self.assertEqual(list((self.folder / "dir").glob("**/*.part")), [])

    def test_refused(self):
        """What sbatch says is passed on, and the plan stays."""
        told = self.campaign(*self.run_words("refused", "--slurm", "--shards", 2, "--sbatch", "--partition=nowhere"))
        self.expect(told, status=2, says="invalid partition")
        self.assertIn("was not submitted, with `--partition=nowhere`", told.stderr)
        self.assertEqual(self.shards("refused")["missing"], [1, 2])
        self.expect(self.campaign("run", "refused", "--slurm", "--sbatch", "--hold"))
        self.assertEqual(self.shards("refused")["waiting"], [1, 2])
        e2e.run(["scancel", "--user=root", "--state=PENDING"])
        self.wait_until(lambda: not self.cluster.queue())


if __name__ == "__main__":
    if not os.environ.get(INSIDE):
        enter()
    e2e.main()
