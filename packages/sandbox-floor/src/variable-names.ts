// Which environment variables a command may see, as data. A build needs its path, home and tool folders; it does not need
// what opens other doors. What is withheld here is withheld even from a command that asks for it by name.

/** Passed on when the embedding process has them. */
export const allowed: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "CI"],
  ...["LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES", "LC_PAPER", "LC_NAME"],
  ...["LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  // Tool folders: whoever moved a cache or a toolchain wants it found.
  ...["CARGO_HOME", "RUSTUP_HOME"],
  ...["npm_config_cache", "PNPM_HOME", "COREPACK_HOME", "YARN_CACHE_FOLDER", "DENO_DIR", "NVM_DIR"],
  ...["PIP_CACHE_DIR", "POETRY_CACHE_DIR", "UV_CACHE_DIR", "VIRTUAL_ENV", "XDG_CACHE_HOME"],
  ...["GOROOT", "GOPATH", "GOMODCACHE", "GOCACHE", "GOFLAGS"],
  ...["JAVA_HOME", "GRADLE_USER_HOME", "NUGET_PACKAGES"],
  ...["GEM_HOME", "BUNDLE_PATH", "COMPOSER_HOME", "MIX_HOME", "HEX_HOME"],
];

/** What Windows programs cannot start without, and its names for home and user. */
export const allowedOnWindows: readonly string[] = [
  ...["SYSTEMROOT", "COMSPEC", "PATHEXT", "WINDIR", "TEMP", "TMP"],
  ...["USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA"],
];

/** Dropped from what a command inherits unless it may reach the network. */
export const proxies: ReadonlySet<string> = new Set(["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]);

const withheld: readonly RegExp[] = [
  // Names that say secret.
  /token|secret|passw(or)?d|passphrase|credential|api_?key|access_?key|private_?key|auth_?key|_key$|_pat$/i,
  // Agents and daemons that act with the user's rights.
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DOCKER_HOST|CONTAINER_HOST|DBUS_SESSION_BUS_ADDRESS)$/,
  // What makes an innocent program load or run something else.
  /^(LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_.*|NODE_OPTIONS|PYTHONSTARTUP)$/,
  /^(BASH_ENV|ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|PS4|ZDOTDIR|BASH_FUNC_.*)$/,
  // Git's variables name programs, or move the repository; a name and a date for the author do neither.
  /^GIT_(?!(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$|TERMINAL_PROMPT$|CEILING_DIRECTORIES$)/,
];

/** True for a name that is never passed on from the embedding process. */
export function isWithheld(name: string): boolean {
  return withheld.some((pattern) => pattern.test(name));
}

const keys: readonly RegExp[] = [
  /\bsk-[\w-]{16,}/,
  /\b(gh[opsur]_|github_pat_|glpat-|npm_|hf_|pypi-)[\w-]{20,}/,
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bxox[abeprs]-[\w-]{10,}/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /:\/\/[^/\s:@]*:[^/\s@]+@/,
];

/** True for a value in the form of a well-known kind of key, or a URL with a password in it. */
export function looksLikeKey(value: string): boolean {
  return keys.some((pattern) => pattern.test(value));
}
