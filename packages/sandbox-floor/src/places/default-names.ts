// What is protected and hidden without anybody asking, as data. Protected is what another program runs or obeys later, outside of
// any sandbox; hidden is what opens other doors.

/** In each project: the workspace, a granted folder, and what is found in them. `except` lifts them by these names. */
export const projectNames: readonly string[] = [
  ...[".gitmodules", ".vscode", ".idea", ".devcontainer"],
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile"],
  ...[".zshrc", ".zprofile", ".zshenv", ".zlogin", ".zlogout"],
  ...[".gitconfig", ".ripgreprc", ".npmrc", ".mcp.json"],
  // Settings and hooks of agents, ours among them; not what a project says to them, such as AGENTS.md.
  ...[".claude", ".codex", ".cursor", ".gemini", ".aider.conf.yml", ".continue", ".windsurf", ".amazonq", ".roo"],
  ...[".harness", "harness.config.json"],
];

/** In the home on top of those, where it can be written at all. */
export const homeNames: readonly string[] = [
  ...[".config/git", ".config/fish", ".config/autostart", ".config/systemd", ".config/environment.d"],
  ...[".local/bin", "bin", ".cargo/bin", ".cargo/config.toml", ".ssh", ".pam_environment", ".xprofile", ".xsessionrc"],
  ...["Library/LaunchAgents", ".inputrc", ".vimrc", ".config/nvim", ".emacs.d"],
];

/** In a repository's own folder, and in those of its submodules. */
export const repositoryNames: readonly string[] = [
  ...["hooks", "config", "config.worktree", "info/attributes"],
  // It says where the two above are really read from.
  "commondir",
];

/** In the folder that a repository keeps for a worktree elsewhere. */
export const worktreeNames: readonly string[] = ["commondir", "gitdir", "config.worktree"];

export interface SecretRow {
  /** In the home; `except` lifts it as `~/<name>`. */
  readonly name: string;
  /** The variable that moves it: a path, or several with `:` between them. */
  readonly variable?: string;
}

/** Keys, passwords and sessions in the home. */
export const secretRows: readonly SecretRow[] = [
  ...[{ name: ".ssh" }, { name: ".gnupg", variable: "GNUPGHOME" }, { name: ".password-store" }],
  ...[{ name: ".aws" }, { name: ".aws/credentials", variable: "AWS_SHARED_CREDENTIALS_FILE" }],
  ...[{ name: ".azure" }, { name: ".oci" }, { name: ".config/gcloud", variable: "CLOUDSDK_CONFIG" }],
  ...[{ name: ".kube" }, { name: ".kube/config", variable: "KUBECONFIG" }, { name: ".docker/config.json" }],
  ...[
    { name: ".netrc", variable: "NETRC" },
    { name: ".npmrc", variable: "NPM_CONFIG_USERCONFIG" },
    { name: ".pypirc" },
  ],
  ...[
    { name: ".git-credentials" },
    { name: ".config/git/credentials" },
    { name: ".config/gh" },
    { name: ".config/glab-cli" },
  ],
  ...[{ name: ".cargo/credentials.toml" }, { name: ".cargo/credentials" }, { name: ".gem/credentials" }],
  ...[{ name: ".composer/auth.json" }, { name: ".config/composer/auth.json" }, { name: ".hex/hex.config" }],
  ...[{ name: ".terraform.d/credentials.tfrc.json" }, { name: ".vault-token" }, { name: ".config/op" }],
  ...[{ name: ".pgpass", variable: "PGPASSFILE" }, { name: ".my.cnf" }, { name: ".s3cfg" }, { name: ".boto" }],
  ...[{ name: ".local/share/keyrings" }, { name: "Library/Keychains" }, { name: "Library/Cookies" }],
  ...[
    { name: ".mozilla" },
    { name: ".config/google-chrome" },
    { name: ".config/chromium" },
    { name: "Library/Safari" },
  ],
  ...[{ name: ".config/BraveSoftware" }, { name: ".config/microsoft-edge" }, { name: "snap/firefox/common/.mozilla" }],
  ...[{ name: "Library/Application Support/Google/Chrome" }, { name: "Library/Application Support/Firefox" }],
  ...[{ name: "Library/Application Support/BraveSoftware" }, { name: "Library/Application Support/Microsoft Edge" }],
];
