// Promises about the cap on temporary files: the command has a folder of its own for them, which goes when the command does.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { mebibyte, patient } from "./cap-payloads.js";
import { node, sh, untilRemoved } from "./payloads.js";
import { type Case, type Cases, onPosix } from "./subject.js";

const withoutTemp: Case["unless"] = ({ enforces }) => (enforces.temp ? undefined : "enforces.temp is false");

const limits = { maxTempBytes: 4 * mebibyte };

export const tempCapCases: Cases = {
  "holds a command that puts more into its temporary folder than it may": {
    unless: withoutTemp,
    prove: async ({ run, folder }) => {
      const sub = basename(dirname(folder));
      const fill = `const { tmpdir } = require("os"), { join } = require("path"), fs = require("fs");
        const sub = join(tmpdir(), process.argv[1]); console.log(sub); fs.mkdirSync(sub);
        try { for (let n = 0; n < 8; n += 1) fs.writeFileSync(join(sub, "file" + n), Buffer.alloc(${mebibyte}, 1)); }
        catch (error) { console.log(error.code); process.exit(3); }
        ${untilRemoved}`;
      const outcome = await run(node(fill, sub), { ...patient, limits });
      const [made = "", said] = outcome.stdout.text.trim().split("\n");

      // Who looks at the folder ends the command; who bounds it lets the command find it full.
      if (said === undefined) expect(outcome).toMatchObject({ capHit: "temp", stopped: null, exitCode: null });
      else expect({ said, exitCode: outcome.exitCode }).toEqual({ said: "ENOSPC", exitCode: 3 });
      expect(made).toContain(sub);
      expect(existsSync(made)).toBe(false);
    },
  },

  "gives a command a temporary folder that nobody else has, and removes it": onPosix(async ({ run, outside }) => {
    await writeFile(join(outside, "kept"), "as it was");
    const mark = basename(dirname(outside));
    const source = `t="\${TMPDIR:-/tmp}"; echo "$t/$2"; [ "$TMP$TEMP" = "$TMPDIR$TMPDIR" ] && [ -z "$(ls -A "$t")" ] &&
      mktemp >/dev/null && mkdir "$t/$2" && echo x > "$t/$2/file" && ln -s "$1" "$t/link" && chmod 0 "$t/$2"`;
    const all = await Promise.all([1, 2].map(() => run(sh(source, outside, mark), { limits })));

    // Each found it empty, though both had something in it at the same time or one after the other.
    for (const outcome of all) expect(outcome).toMatchObject({ exitCode: 0, capHit: null });
    expect(all.filter(({ stdout }) => existsSync(stdout.text.trim()))).toEqual([]);
    expect(existsSync(join(outside, "kept"))).toBe(true);
  }, withoutTemp),
};
