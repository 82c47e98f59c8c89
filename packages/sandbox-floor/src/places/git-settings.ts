// Which of a repository's settings are harmless: an allow list, since git has many that name a program to run or a file to read
// more of them from, and gets new ones. Read line by line and strictly; what is not understood is not harmless.

const harmless: Readonly<Record<string, readonly string[]>> = {
  core: [
    ...[
      "repositoryformatversion",
      "filemode",
      "bare",
      "logallrefupdates",
      "ignorecase",
      "precomposeunicode",
      "symlinks",
    ],
    ...["autocrlf", "eol", "safecrlf", "quotepath", "abbrev"],
  ],
  extensions: ["objectformat"],
  user: ["name", "email"],
  init: ["defaultbranch"],
  remote: ["url", "fetch"],
  branch: ["remote", "merge", "rebase"],
  submodule: ["url", "active"],
  pull: ["rebase", "ff"],
  push: ["default", "autosetupremote"],
};

const section = /^\s*\[\s*([a-z0-9-]+)(?:\.[a-z0-9.-]+|\s+"[^"\\]*")?\s*\]\s*$/i;
// Neither a value that goes on in the next line, nor an address that names a helper program.
const setting = /^\s*([a-z][a-z0-9-]*)\s*(?:=(?!.*::).*[^\\]|=)?$/i;
const nothing = /^\s*(?:[#;].*)?$/;

/** `text` without the lines that are not harmless: the same text when all of them are. */
export function harmlessSettings(text: string): string {
  let known: readonly string[] | undefined;
  const kept = text.split("\n").filter((line) => {
    if (line.includes("\0")) return false;
    if (nothing.test(line)) return true;
    const opened = section.exec(line)?.[1];
    const key = setting.exec(line)?.[1]?.toLowerCase();
    // What is not understood may be a section to git, and what follows belongs to that.
    if (key === undefined) known = opened === undefined ? undefined : harmless[opened.toLowerCase()];
    return known !== undefined && (key === undefined || known.includes(key));
  });
  return kept.join("\n");
}
