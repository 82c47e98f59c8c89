// Promises about the cap on temporary files: the command has a folder of its own for them, which goes when the command does.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { mebibyte, patient } from "./cap-payloads.js";
import { node, sh, untilRemoved } from "./payloads.js";
import { type Case, type Cases, onPosix } from "./subject.js";

const withoutTemp: Case["unless"] = ({ enforces }) => (enforces.temp ? undefined : "enforces.temp is false");

const limits = { maxTempBytes: 4 * mebibyte };

export const tempCapCases: Cases = {
  "ends a command that puts more into its temporary folder than it may": {
    unless: withoutTemp,
    prove: async ({ run }) => {
      const fill = `const { tmpdir } = require("os"), { join } = require("path"), fs = require("fs");
        console.log(tmpdir()); fs.mkdirSync(join(tmpdir(), "sub"));
        for (let n = 0; n < 8; n += 1) fs.writeFileSync(join(tmpdir(), "sub", "file" + n), Buffer.alloc(${mebibyte}, 1));
        ${untilRemoved}`;
      const outcome = await run(node(fill), { ...patient, limits });

      expect(outcome).toMatchObject({ capHit: "temp", stopped: null, exitCode: null });
      expect(existsSync(outcome.stdout.text.trim())).toBe(false);
    },
  },

  "gives a command a temporary folder that nobody else has, and removes it": onPosix(async ({ run, outside }) => {
    await writeFile(join(outside, "kept"), "as it was");
    const source = `echo "$TMPDIR"; [ "$TMP$TEMP" = "$TMPDIR$TMPDIR" ] && [ -z "$(ls -A "$TMPDIR")" ] && mktemp >/dev/null &&
      mkdir "$TMPDIR/closed" && echo x > "$TMPDIR/closed/file" && ln -s "$1" "$TMPDIR/link" && chmod 0 "$TMPDIR/closed"`;
    const all = await Promise.all([1, 2].map(() => run(sh(source, outside), { limits })));
    const folders = all.map(({ stdout }) => stdout.text.trim());

    for (const outcome of all) expect(outcome).toMatchObject({ exitCode: 0, capHit: null });
    expect(new Set(folders).size).toBe(2);
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
    expect(existsSync(join(outside, "kept"))).toBe(true);
  }, withoutTemp),
};
