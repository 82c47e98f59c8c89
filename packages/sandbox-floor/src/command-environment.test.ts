import { describe, expect, it } from "vitest";
import { commandEnvironment } from "./index.js";

const posix = { platform: "linux" };

describe("commandEnvironment", () => {
  it("passes on what a build needs and nothing else", () => {
    const source = {
      ...{ PATH: "/bin", HOME: "/home/a", LANG: "C", LC_TIME: "de_DE", TZ: "UTC", GOFLAGS: "-mod=mod", CI: "1" },
      ...{ EDITOR: "vi", PWD: "/elsewhere", XDG_RUNTIME_DIR: "/run", HTTP_PROXY: "http://proxy", UNSET: undefined },
    };

    expect(commandEnvironment(source, posix)).toEqual({
      ...{ PATH: "/bin", HOME: "/home/a", LANG: "C", LC_TIME: "de_DE", TZ: "UTC", GOFLAGS: "-mod=mod", CI: "1" },
      TERM: "dumb",
    });
  });

  it("sets a dumb terminal, unless another is given", () => {
    expect(commandEnvironment({ TERM: "xterm" }, posix)).toEqual({ TERM: "dumb" });
    expect(commandEnvironment({}, { ...posix, extra: { TERM: "vt100" } })).toEqual({ TERM: "vt100" });
  });

  it("passes on what is asked for by name", () => {
    const source = { EDITOR: "vi", PAGER: "less" };

    expect(commandEnvironment(source, { ...posix, inherit: ["EDITOR", "ABSENT"] })).toEqual({
      TERM: "dumb",
      EDITOR: "vi",
    });
  });

  it.each([
    ...[
      "ANTHROPIC_API_KEY",
      "GITHUB_TOKEN",
      "npm_config__authToken",
      "DB_PASSWORD",
      "CLIENT_SECRET",
      "AWS_ACCESS_KEY_ID",
    ],
    ...["GOOGLE_APPLICATION_CREDENTIALS", "SSH_PRIVATE_KEY", "SIGNING_KEY", "AZURE_PAT", "GPG_PASSPHRASE"],
    ...["SSH_AUTH_SOCK", "GPG_AGENT_INFO", "DOCKER_HOST", "DBUS_SESSION_BUS_ADDRESS"],
    ...["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "PYTHONSTARTUP"],
    ...["BASH_ENV", "ENV", "PROMPT_COMMAND", "PS4", "BASH_FUNC_ls%%"],
    ...["GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_COUNT", "GIT_DIR", "GIT_EDITOR", "GIT_EXEC_PATH"],
  ])("withholds %s even when it is asked for by name", (name) => {
    expect(commandEnvironment({ [name]: "x" }, { ...posix, inherit: [name] })).toEqual({ TERM: "dumb" });
  });

  it.each(["GIT_AUTHOR_NAME", "GIT_COMMITTER_DATE", "GIT_TERMINAL_PROMPT", "KEYBOARD", "ENVIRONMENT"])(
    "passes on %s when it is asked for by name",
    (name) => {
      expect(commandEnvironment({ [name]: "x" }, { ...posix, inherit: [name] })).toEqual({ TERM: "dumb", [name]: "x" });
    },
  );

  it.each([
    `sk-${"a".repeat(24)}`,
    `Bearer ghp_${"a".repeat(36)}`,
    `AKIA${"A".repeat(16)}`,
    `https://me:hunter22@proxy.example/`,
    "-----BEGIN RSA PRIVATE KEY-----\nabc",
    `eyJ${"a".repeat(20)}.${"b".repeat(20)}.c`,
  ])("withholds a value that looks like a key: %s", (value) => {
    expect(commandEnvironment({ GOFLAGS: value }, posix)).toEqual({ TERM: "dumb" });
  });

  it("withholds the names that are configured as secret, and their values under other names", () => {
    const source = { MY_GATEWAY: "value-of-the-gateway", GOFLAGS: "-x=value-of-the-gateway", LANG: "C" };
    const options = { ...posix, secrets: ["MY_GATEWAY"], inherit: ["MY_GATEWAY"], extra: { MY_GATEWAY: "again" } };

    expect(commandEnvironment(source, options)).toEqual({ LANG: "C", TERM: "dumb" });
  });

  it("does not look for a secret that stands inside ordinary words", () => {
    expect(commandEnvironment({ SHORT: "C", LANG: "C" }, { ...posix, secrets: ["SHORT"] })).toEqual({
      LANG: "C",
      TERM: "dumb",
    });
  });

  it("sets what is given, also under a name that is withheld", () => {
    const extra = { SSH_AUTH_SOCK: "/run/agent", PATH: "/given" };

    expect(commandEnvironment({ SSH_AUTH_SOCK: "/mine", PATH: "/bin" }, { ...posix, extra })).toEqual({
      ...extra,
      TERM: "dumb",
    });
  });

  it("compares names on Windows without regard to case", () => {
    const source = { Path: "C:\\a", SystemRoot: "C:\\Windows", Temp: "C:\\t", My_Token: "x", Editor: "vi" };
    const options = { platform: "win32", inherit: ["editor", "my_token"], extra: { path: "D:\\b" } };

    expect(commandEnvironment(source, options)).toEqual({
      ...{ PATH: "D:\\b", SYSTEMROOT: "C:\\Windows", TEMP: "C:\\t", EDITOR: "vi", TERM: "dumb" },
    });
  });
});
