#!/usr/bin/python3
"""campaign_shard_test.py - campaigns that are cut into shards: the findings are those of one machine, whoever does a
shard, however often it is killed, and if two do it at once; damaged and foreign files; what Slurm is told, by a
Slurm that is a few scripts. cli/slurm_test.py has a real one."""
import contextlib
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import campaign_test
import e2e


class Shards(campaign_test.Folder):
    """With a compiler that ccmd finds something about, in programs of odd seeds."""

    def setUp(self):
        super().setUp()
        self.wrong = self.compiler("wrong", f'*" -g2 "*) exec {e2e.GCC} -DWITH_G "$@" ;;')

    def words(self, directory, *more, seeds="1-8"):
        return ["run", directory, "--generate", f"{self.generator} {{seed}}", "--seeds", seeds, "--compilers",
                self.wrong, "--levels=-O1", "--oracles", "ccmd", "--no-sanitize", *more]

    def cut(self, directory, *more, **options):
        self.expect(self.campaign(*self.words(directory, *more, **options)))

    def shards(self, directory):
        told = self.expect(self.campaign("status", directory, "--format", "json"))
        return json.loads(told.stdout)["shards"]

    def files(self, directory):
        return sorted((self.folder / directory / "shards").glob("*.shard"))

    def all_are_whole(self, directory):
        """Whatever has the name of a shard is one, to its end. (What was killed may have been done just before.)"""
        for path in self.files(directory):
            with gzip.open(path) as packed:
                self.assertTrue(packed.read().endswith(b"end\n"), path)

    def start(self, *words):
        return subprocess.Popen([e2e.XSTEP, "campaign", *map(str, words)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, cwd=self.folder,
                                env={**os.environ, "TMPDIR": str(self.folder / "tmp")}, preexec_fn=e2e.leave_nothing)

    def results(self, directory):
        """Without what only a campaign that is cut has."""
        told = json.loads(super().results(directory))
        told[0].pop("shards", None)
        return json.dumps(told, indent=1)


class Same(Shards):
    """The same findings with the same ids."""

    @e2e.smoke
    def test_by_hand(self):
        """Seeds, files and mutants; and sources and cases are where they are in any campaign."""
        sources = self.folder / "sources"
        sources.mkdir()
        for number in range(3):
            (sources / f"{number}.c").write_text(f"int main(void) {{ return {number}; }}\n")
        more = ("--sources", sources, "--mutate", "1")
        self.expect(self.campaign(*self.words("whole", *more, seeds="1-3")), status=1)
        self.cut("dir", "--shards", "3", *more, seeds="1-3")
        self.assertEqual(self.shards("dir")["missing"], [1, 2, 3, 4])  # seeds and files are not mixed
        for number in self.expect(self.campaign("shard", "dir", "--missing")).stdout.split():
            self.expect(self.campaign("shard", "dir", number))
        self.assertFalse(self.shards("dir")["merged"])
        self.expect(self.campaign("merge", "dir"))
        self.assertTrue(self.shards("dir")["merged"])
        self.expect_same_text([("whole", self.results("whole")), ("shards", self.results("dir"))])
        for inner in ("programs", "signatures"):
            folders = [self.folder / name / inner for name in ("whole", "dir")]
            self.assertEqual(*[sorted(str(path.relative_to(one)) for path in one.rglob("*")) for one in folders])
        found = json.loads(self.campaign("findings", "dir", "--format", "json").stdout)["signatures"]
        self.expect(self.campaign("rerun", "dir", found[0]["id"]), status=1)
        commands = (self.folder / "dir/signatures" / found[0]["id"] / "smallest/commands.sh").read_text()
        self.assertIn(f"{self.folder}/dir/programs/", commands)

    def test_workers_kills_and_shards(self):
        """By one worker, by two, killed and continued, and as eight shards of which two are killed at any moment."""
        seeds = {"seeds": "1-16"}
        self.expect(self.campaign(*self.words("one", "--jobs", "1", **seeds)), status=1)
        self.expect(self.campaign(*self.words("two", "--jobs", "2", **seeds)), status=1)
        self.kill_after(5, *self.words("killed", "--jobs", "2", **seeds))
        self.expect(self.campaign("run", "killed"), status=1)
        self.cut("shards", "--shards", "8", **seeds)
        for number in (3, 6):
            self.kill_after(random.Random(number).randrange(1, 4), "shard", "shards", number)
            self.all_are_whole("shards")
        everything = [self.start("shard", "shards", *numbers) for numbers in (range(1, 5), range(4, 9))]
        for process in everything:
            self.assertEqual((process.wait(), process.stderr.read()), (0, b""), process.args)
            process.communicate()
        self.assertEqual(len(self.files("shards")), 8)
        self.expect(self.campaign("merge", "shards"))
        texts = [(name, self.campaign("findings", name, "--format", "json").stdout)
                 for name in ("one", "two", "killed", "shards")]
        found = json.loads(texts[0][1])["signatures"]
        self.assertEqual([(one["oracle"], one["count"]) for one in found], [("ccmd", 8)])
        self.expect_same_text(texts)
        self.expect_same_text([("one", self.results("one")), ("shards", self.results("shards"))])
        self.nothing_is_left()

    def kill_after(self, lines, *words):
        """Runs xstep campaign, and kills it after so many of its events."""
        process = self.start(*words, "--format", "json")
        for _ in range(lines):
            process.stdout.readline()
        process.kill()
        process.communicate()

    def test_killed_at_any_moment(self):
        """Also while it is packed and put into its place: what is not whole has another name, which nobody reads."""
        self.cut("dir", "--shards", "2")
        dice = random.Random(7)
        for _ in range(e2e.some(4, 8)):
            process = self.start("shard", "dir", "1")
            # The clock decides where it is hit, and wherever that is, the same must hold.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(dice.random() * 2)
            process.kill()
            process.communicate()
            self.all_are_whole("dir")
            self.expect(self.campaign("merge", "dir"))
        self.expect(self.campaign("shard", "dir", "1", "2"))
        for _ in range(e2e.some(4, 8)):
            process = self.start("merge", "dir")
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(dice.random() / 2)
            process.kill()
            process.communicate()
            self.assertEqual(self.shards("dir")["done"], [1, 2])
        self.expect(self.campaign("merge", "dir"))
        self.expect(self.campaign(*self.words("whole")), status=1)
        self.expect_same_text([("whole", self.results("whole")), ("shards", self.results("dir"))])

    def test_killed_while_it_is_put_into_its_place(self):
        """A part of a shard, as a killed task leaves it, is no shard; the next one on the machine removes it."""
        self.cut("dir", "--shards", "2")
        self.expect(self.campaign("shard", "dir", "1"))
        whole = self.files("dir")[0]
        ended = subprocess.Popen(["true"])
        ended.wait()
        host = os.uname().nodename.replace(".", "_").replace("/", "_")
        own = whole.with_name(f"{whole.name}.{host}.{ended.pid}.part")
        other = whole.with_name(f"{whole.name}.elsewhere.{ended.pid}.part")
        own.write_bytes(whole.read_bytes()[:1000])
        whole.rename(other)
        state = self.shards("dir")
        self.assertEqual((state["done"], state["missing"]), ([], [1, 2]))
        self.expect(self.campaign("shard", "dir", "1"))
        self.assertEqual((self.files("dir"), own.exists(), other.exists()), ([whole], False, True))

    def test_two_at_once(self):
        self.cut("dir", "--shards", "1")
        both = [self.start("shard", "dir", "1") for _ in range(2)]
        for process in both:
            process.communicate()
            self.assertEqual(process.returncode, 0)
        merging = [self.start("merge", "dir") for _ in range(2)]
        for process in merging:
            self.assertEqual((process.communicate()[1], process.returncode), (b"", 0))
        self.expect(self.campaign(*self.words("whole")), status=1)
        self.expect_same_text([("whole", self.results("whole")), ("shards", self.results("dir"))])

    def test_interrupted(self):
        """^C ends it soon, as xstep does, and leaves nothing."""
        slow = self.script("slow", f"#!/bin/sh\nsleep {campaign_test.NAP}\n")
        self.cut("dir", "--shards", "1", "--generate", f"{slow} {{seed}}")
        for end in (signal.SIGINT, signal.SIGTERM):
            process = self.start("shard", "dir", "1")
            self.assertTrue(e2e.wait_until(lambda: len(e2e.descendants(process.pid)) >= 4, process))
            process.send_signal(end)
            _, said = process.communicate()
            self.assertEqual(process.returncode, -end)
            self.assertIn(b"the shard is not done", said)
        self.assertEqual(self.files("dir"), [])
        self.nothing_is_left()

    def test_extended(self):
        """More seeds later: shards that were full stay; and so does what one machine did before."""
        self.kill_after(3, *self.words("dir", seeds="1-3"))
        self.cut("dir", "--shards", "2", seeds="1-4")
        self.assertEqual([path.name for path in (self.folder / "dir").glob("campaign.db*")], ["campaign.db"])
        self.expect(self.campaign("shard", "dir", "1", "2"))
        self.expect(self.campaign("merge", "dir"))
        self.expect(self.campaign("run", "dir", "--shards", "2", "--seeds", "1-7"), status=2,
                    says="of which 2 are done, and --shards=2 would cut it otherwise")
        self.expect(self.campaign("run", "dir", "--shard-minutes", "30", "--seeds", "1-7"))
        state = self.shards("dir")
        self.assertEqual((state["done"], state["missing"]), ([1, 2], [3, 4]))
        self.expect(self.campaign("shard", "dir", "3", "4"))
        self.expect(self.campaign("merge", "dir"))
        self.expect(self.campaign(*self.words("whole", seeds="1-7")), status=1)
        self.expect_same_text([("whole", self.results("whole")), ("extended", self.results("dir"))])
        # A folder that is not cut goes on by itself; so does one without its shards.
        self.expect(self.campaign("merge", "plain", "dir"))
        self.expect(self.campaign("run", "plain"), status=1)
        self.expect_same_text([("whole", self.results("whole")), ("plain", self.results("plain"))])
        shutil.rmtree(self.folder / "dir/shards")
        self.expect(self.campaign("run", "dir"), status=1)
        self.expect_same_text([("whole", self.results("whole")), ("without shards", self.results("dir"))])


class Bad(Shards):
    """A clear message each, and nothing lost."""

    def test_words(self):
        self.cut("dir", "--shards", "2")
        for words, says in (
                (["shard", "dir"], "expected DIR K..."),
                (["shard", "dir", "0"], "'0' is no number of a shard"),
                (["shard", "dir", "-1"], "-1"),
                (["shard", "dir", "x"], "'x' is no number of a shard"),
                (["shard", "dir", "3"], "there is no shard 3: they are 1 to 2"),
                (["shard", "nowhere", "1"], "nowhere: No such file"),
                (["merge", "nowhere"], "is not cut into shards"),
                (["run", "dir"], "dir: is cut into shards: xstep campaign run dir --slurm"),
                (["merge", "dir", "other"], "dir: is cut into shards"),
                (["run", "dir", "--slurm", "--levels=-O2"], "dir: was begun with --levels=-O1"),
                (["run", "new", "--sbatch", "--hold"], "--sbatch: is for --slurm"),
                (["run", "new", "--shards", "2"], "a campaign needs programs")):
            with self.subTest(words=words):
                self.expect(self.campaign(*words), status=2, says=says)
        (self.folder / "plain").mkdir()
        self.expect(self.campaign("shard", "plain", "1"), status=2, says="plain: is not cut into shards")
        (self.folder / "plain/letter.txt").write_text("mine")
        self.expect(self.campaign(*self.words("plain", "--shards", "2")), status=2, says="has files in it")

    def test_damaged_shards(self):
        """Each is told, and left alone; all others are merged."""
        self.cut("dir", "--shards", "4")
        self.expect(self.campaign("shard", "dir", "1", "2", "3", "4"))
        one, two, three, four = self.files("dir")
        whole = one.read_bytes()

        def packed(text):
            return gzip.compress(text.encode())
        name = one.name.partition(".")[0]
        for content, says in (
                (whole[:len(whole) // 2], "damaged"),
                (whole[:-6] + bytes(6), "damaged"),
                (whole[:300] + bytes(50) + whole[350:], "00001-"),  # where that shows, zlib decides
                (b"", "not a shard of a campaign"),
                (b"mine", "not a shard of a campaign"),
                (packed("hello\n"), "not a shard of a campaign"),
                (packed(f"xstep shard 7 {name}\n"), "a shard of another format"),
                (two.read_bytes(), "is shard 00002-"),
                (packed(f"xstep shard 1 {name}\n4 ../evil\nevil"), "damaged: it has something in it"),
                (packed(f"xstep shard 1 {name}\n4 campaign.db\nevilend\n"), "not a campaign"),
                (packed(f"xstep shard 1 {name}\nend\n"), "damaged: it has no end")):
            with self.subTest(says=says, content=content[:40]):
                one.write_bytes(content)
                told = self.expect(self.campaign("merge", "dir"), status=2, says=says)
                self.assertIn("remove the file, and shard 1 is done again", told.stderr)
                self.assertIn("1 shards could not be read, and all others are merged", told.stderr)
                self.assertEqual(one.read_bytes(), content)
        self.assertFalse(self.shards("dir")["merged"])
        totals = json.loads(self.campaign("status", "dir", "--format", "json").stdout)["totals"]
        self.assertEqual(totals[0]["programs"], 6)
        self.expect(self.campaign("shard", "dir", "1"), status=2, says="to be removed, and done again")
        one.unlink()
        self.expect(self.campaign("shard", "dir", "1"))
        self.expect(self.campaign("merge", "dir"))
        self.expect(self.campaign(*self.words("whole")), status=1)
        self.expect_same_text([("whole", self.results("whole")), ("shards", self.results("dir"))])

    def test_shard_of_a_damaged_campaign(self):
        """A store that is no longer sound, packed as it should be, is not merged."""
        self.cut("dir", "--shards", "1")
        self.expect(self.campaign("shard", "dir", "1"))
        [path] = self.files("dir")
        head, size, rest = gzip.decompress(path.read_bytes()).split(b"\n", 2)
        size = int(size.split()[0])
        database = self.folder / "taken.db"
        database.write_bytes(rest[:size])
        with contextlib.closing(sqlite3.connect(database)) as db:
            db.execute("DELETE FROM exemplar WHERE which = 'first'")
            db.commit()
        changed = database.read_bytes()
        path.write_bytes(gzip.compress(b"%b\n%d campaign.db\n%b%b" % (head, len(changed), changed, rest[size:])))
        self.expect(self.campaign("merge", "dir"), status=2, says="signatures have not two exemplars each")

    def test_foreign_files(self):
        """They are told, and left alone, and do not count."""
        self.cut("dir", "--shards", "2")
        self.cut("other", "--shards", "2", "--max-steps", "1000")
        self.expect(self.campaign("shard", "dir", "1"))
        self.expect(self.campaign("shard", "other", "2"))
        letter = self.folder / "dir/shards/letter.txt"
        letter.write_text("mine")
        foreign = shutil.copy(self.files("other")[0], self.folder / "dir/shards")
        state = self.shards("dir")
        self.assertEqual((state["done"], state["missing"]), ([1], [2]))
        self.assertIn("letter.txt: is no shard of this campaign", self.campaign("status", "dir").stdout)
        told = self.expect(self.campaign("merge", "dir"), says="letter.txt: is no shard of this campaign")
        self.assertIn(f"{pathlib.Path(foreign).name}: is no shard of this campaign", told.stderr)
        self.assertEqual(letter.read_text(), "mine")
        self.assertTrue(pathlib.Path(foreign).exists())

    def test_other_versions(self):
        """Of the plan, of campaign.db, and of a compiler on the machine that a shard is done on."""
        self.cut("dir", "--shards", "2")
        plan = self.folder / "dir/shards/plan.json"
        good = plan.read_text()
        for text, says in ((good.replace('"format": 1', '"format": 7'), "a plan of format 7"),
                           (good[:50], "plan.json: damaged"), ("{}", "a plan of format 0"),
                           (good.replace('"programs": 4', '"programs": 0'), "plan.json: damaged"),
                           (good.replace('"seeds": "1-8"', '"seeds": "x"'), "is not like 1-200")):
            plan.write_text(text)
            for words in (["shard", "dir", "1"], ["merge", "dir"], ["status", "dir"], ["run", "dir", "--slurm"]):
                with self.subTest(words=words, says=says):
                    self.expect(self.campaign(*words), status=2, says=says)
        plan.write_text(good)
        with open(self.wrong, "a", encoding="utf-8") as script:
            script.write("# changed\n")
        version = self.script("versions", f"#!/bin/sh\ncase $1 in --version) echo another one ;; *) exec {self.wrong}"
                                          ' "$@" ;; esac\n')
        keep = self.wrong.rename(self.folder / "kept")
        version.rename(self.wrong)
        self.wrong.write_text(self.wrong.read_text().replace(f"exec {self.wrong}", f"exec {keep}"))
        told = self.expect(self.campaign("shard", "dir", "1"), status=2, says="dir: was planned with")
        self.assertIn("it is `another one`", told.stderr)
        self.expect(self.campaign("run", "dir", "--shards", "2"), status=2, says="begin another campaign")
        keep.rename(self.wrong)
        self.expect(self.campaign("shard", "dir", "1", "2"))
        database = self.folder / "dir/campaign.db"
        with contextlib.closing(sqlite3.connect(database)) as db:
            db.execute("PRAGMA user_version = 7")
        for words in (["merge", "dir"], ["status", "dir"], ["run", "dir", "--slurm"]):
            self.expect(self.campaign(*words), status=2, says="a campaign of format 7")
        database.unlink()
        self.expect(self.campaign("merge", "dir"))
        self.expect(self.campaign(*self.words("whole")), status=1)
        self.expect_same_text([("whole", self.results("whole")), ("shards", self.results("dir"))])

    def test_full_disk(self):
        """No shard is made of what does not fit; with room, it is done."""
        self.cut("dir", "--shards", "1")
        room = self.folder / "room"
        room.mkdir()
        told = e2e.run(["unshare", "--mount", "sh", "-c", f"""
            mount -t tmpfs -o size=40k none {room} || exit 77
            cp -r dir {room}/dir
            head -c 1000000 /dev/zero > {room}/filler
            {e2e.XSTEP} campaign shard {room}/dir 1; echo first $?
            ls {room}/dir/shards
            rm {room}/filler; mount -o remount,size=40m {room}
            {e2e.XSTEP} campaign shard {room}/dir 1; echo second $?"""], cwd=self.folder,
                       env={**os.environ, "TMPDIR": str(self.folder / "tmp")})
        if told.returncode == 77 or "unshare" in told.stderr:
            self.skipTest("cannot mount: " + told.stderr.strip())
        self.assertRegex(told.stdout, r"(?s)first 2\nplan.json\n.*is done.*second 0", told.stderr)
        self.assertIn("No space left", told.stderr)


class Told(Shards):
    """What Slurm is told, by scripts that keep it."""

    def setUp(self):
        super().setUp()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.slurm("scontrol", "echo 'MaxArraySize            = 4'")
        self.slurm("squeue", f"cat {self.folder}/queue 2>/dev/null; true")
        self.slurm("sbatch", f'echo "$@" >> {self.folder}/asked; for last; do :; done\n'
                             f'cat "$last" >> {self.folder}/scripts; wc -l < {self.folder}/asked')

    def slurm(self, name, text):
        self.script(f"bin/{name}", f"#!/bin/sh\n{text}\n")

    def campaign(self, *words, path=None, **options):
        environment = {**os.environ, "TMPDIR": str(self.folder / "tmp"),
                       "PATH": path or f"{self.bin}:{os.environ['PATH']}"}
        return e2e.xstep("campaign", *words, env=environment, cwd=self.folder, **options)

    def asked(self):
        path = self.folder / "asked"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [line.split() for line in lines]

    def test_arrays(self):
        told = self.campaign(*self.words("dir", "--slurm", "--shards", "8", "--jobs", "2", "--memory", "1000",
                                         "--sbatch", "--partition=long --nice"))
        self.expect(told)
        self.assertIn("submitted: array 1, 2, 3 with 8 shards", told.stdout)
        *arrays, merge = self.asked()
        listed = [[word for word in words if word.startswith("--array")] for words in arrays]
        self.assertEqual(listed, [["--array=1-3"], ["--array=1-3"], ["--array=1-2"]])
        for words in arrays:
            self.assertLessEqual({"--requeue", "--parsable", "--cpus-per-task=2", "--mem-per-cpu=1000"}, set(words))
            self.assertEqual(words[-3:-1], ["--partition=long", "--nice"])
        self.assertIn("--dependency=afterany:1:2:3", merge)
        scripts = (self.folder / "scripts").read_text()
        for before in (0, 3, 6):
            self.assertIn(f"exec {e2e.XSTEP} campaign shard --quiet {self.folder}/dir "
                          f"$(({before} + SLURM_ARRAY_TASK_ID))\n", scripts)
        # Shards 1, 4 and 5 are done; 2, 6 and 7 are in the queue: 3 and 8 are left. Options are kept.
        self.expect(self.campaign("shard", "dir", "1", "4", "5"))
        name = next(word for word in arrays[0] if word.startswith("--job-name=")).partition("=")[2]
        (self.folder / "queue").write_text(f"71 2 R {name}\n72 3 PD {name}.1\n73 1 PD {name}.2\n"
                                           f"74 N/A PD {name}.merge\n99 1 R somebody-elses\n")
        state = self.shards("dir")
        self.assertEqual((state["done"], state["missing"], state["waiting"], state["running"]),
                         ([1, 4, 5], [2, 3, 6, 7, 8], [6, 7], [2]))
        self.expect(self.campaign("run", "dir", "--slurm"))
        low, high, merge = self.asked()
        self.assertIn("--array=3", low)
        self.assertIn("--array=2", high)
        self.assertIn(f"--job-name={name}.2", high)
        self.assertIn("--partition=long", high)
        self.assertIn("--dependency=afterany:1:2:71:72:73:74", merge)

    def test_estimated(self):
        """Without --shards, so that one takes about as long as is wanted; never one program each."""
        told = self.campaign(*self.words("dir", "--slurm", "--format", "json", seeds="1-1000"))
        plan = json.loads(self.expect(told).stdout)
        self.assertTrue(15 <= plan["minutes"] <= 60, plan)
        self.assertEqual(plan["shards"], -(-1000 // plan["programs"]))
        told = self.campaign(*self.words("short", "--slurm", "--shard-minutes", "1", "--oracles", "diff,opt,ccmd",
                                         "--witness", "xstep", "--levels=-O0,-O1,-O2,-O3", "--format", "json"))
        self.assertGreaterEqual(json.loads(self.expect(told).stdout)["programs"], 2)

    def test_refused(self):
        """No Slurm, one that does not answer, and one that refuses."""
        bare = self.folder / "bare"
        bare.mkdir()
        for folder in os.environ["PATH"].split(":"):
            for path in pathlib.Path(folder).glob("*"):
                if path.name not in ("sbatch", "squeue", "scontrol") and not (bare / path.name).exists():
                    with contextlib.suppress(OSError):
                        (bare / path.name).symlink_to(path)
        told = self.campaign(*self.words("dir", "--slurm", "--shards", "2"), path=str(bare))
        self.expect(told, status=2, says="sbatch: not found on PATH")
        self.assertIn(f"xstep campaign shard {self.folder}/dir K", told.stderr)
        self.assertIsNone(json.loads(self.campaign("status", "dir", "--format", "json",
                                                   path=str(bare)).stdout)["shards"]["running"])
        for name, text, says in (
                ("scontrol", "echo 'MaxArraySize = 1'", "allows no job arrays"),
                ("scontrol", "echo hello", "says no MaxArraySize"),
                ("scontrol", "echo 'no controller' >&2; exit 1", "scontrol: failed: no controller"),
                ("squeue", "echo 'no queue' >&2; exit 1", "squeue: failed: no queue"),
                ("sbatch", "echo 'not for you' >&2; exit 1", "sbatch: failed: not for you"),
                ("sbatch", "echo hello", "printed no number of a job")):
            with self.subTest(says=says):
                kept = (self.bin / name).read_text()
                self.slurm(name, text)
                self.expect(self.campaign("run", "dir", "--slurm"), status=2, says=says)
                if name != "sbatch":
                    self.assertIn("Slurm cannot be asked", self.campaign("status", "dir").stdout)
                (self.bin / name).write_text(kept)
        self.expect(self.campaign("run", "dir", "--slurm"))
        self.assertEqual(len(self.asked()), 2)


if __name__ == "__main__":
    e2e.main()
