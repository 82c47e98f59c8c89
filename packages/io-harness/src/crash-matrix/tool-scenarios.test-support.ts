// Scripted runs about tools: what each kind of effect is to a process that was not there.
import { Policy } from "@harness/policy";
import { call, calls, say } from "@harness/testing";
import type { Scenario } from "./scenario.test-support.js";

const read = (path: string) => call("read_file", { path });
const write = (path: string, content: string) => call("write_file", { path, content });
const send = (text: string) => call("send", { text });

/** Leaves `mark` in the list of effects, which is beside the workspace. */
const run = (script: "once.sh" | "again.sh", mark: string) => call("exec", { argv: ["sh", script, mark] });
const leave = 'echo "$1" >> ../effects.log\n';

const image = Uint8Array.from({ length: 3_000 }, (_, index) => (index * 7) % 256);
const long = (letter: string) => `${letter.repeat(79)}\n`.repeat(3_600);

export const toolScenarios: readonly Scenario[] = [
  {
    name: "reads, one and side by side",
    script: () => [
      read("a.txt"),
      calls(read("a.txt"), call("list_dir"), read("missing.txt"), read("notes/b.txt")),
      calls(call("find", { glob: "*.txt" }), read("a.txt")),
      say("done"),
    ],
    ends: "finished",
  },
  {
    name: "files written, edited and patched",
    script: () => [
      calls(
        write("c.txt", "sea\n"),
        call("edit_file", { path: "a.txt", search: "two", replace: "2" }),
        call("patch_file", { path: "notes/b.txt", patch: "@@ -1 +1 @@\n-bee\n+wasp\n" }),
      ),
      calls(write("c.txt", "ocean\n"), read("c.txt"), write("c.txt", "ocean\n")),
      call("edit_file", { path: "a.txt", search: "not there", replace: "2" }),
      call("edit_file", { path: "a.txt", search: "2", replace: "two" }),
      say("done"),
    ],
    ends: "finished",
  },
  {
    name: "effects that may not be made again, told by a resume",
    script: () => [
      calls(send("first"), read("a.txt"), send("second")),
      calls(write("c.txt", "sea\n"), send("third")),
      say("done"),
    ],
    ends: "finished",
  },
  {
    name: "effects that may not be made again, told through the inbox",
    script: () => [calls(send("first"), send("second")), send("third"), say("done")],
    delivery: "inbox",
    ends: "finished",
  },
  {
    name: "commands, some of which may be run again",
    script: () => [
      calls(run("once.sh", "first"), call("measure", { text: "x" })),
      calls(run("again.sh", "~1"), read("a.txt"), run("again.sh", "~2")),
      run("once.sh", "second"),
      say("done"),
    ],
    files: { "once.sh": leave, "again.sh": leave },
    contract: { replayable: ["sh again.sh"] },
    ends: "finished",
  },
  {
    name: "a refusal, an unknown tool and arguments that do not fit",
    script: () => [
      calls(write("secret.txt", "1"), call("parallel"), call("read_file", { wrong: true }), write("open.txt", "1")),
      say("done"),
    ],
    policy: new Policy().layer("all").allowRead("*").allowWrite("*").layer("house").denyWrite("secret*"),
    ends: "finished",
  },
  {
    name: "words and files too large to stand in the log",
    script: () => [write("long.txt", long("x")), write("long.txt", long("y")), read("a.txt"), say("done")],
    files: { "long.txt": long("a") },
    ends: "finished",
  },
  {
    name: "a file that is no text",
    script: () => [
      calls(write("image.png", "text by now\n"), read("image.png")),
      write("image.png", "and again\n"),
      say("done"),
    ],
    files: { "image.png": image },
    ends: "finished",
  },
];
