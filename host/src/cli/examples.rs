//! The examples that `--help` ends with.

/// Of the program.
pub(super) const PROGRAM: &str = r#"See it work on made-up data, with nothing configured:
  loom-tools demo

Then write a configuration, /etc/loom/retrieval.json for example:
  {
    "cliPath": "/opt/loom/bin/loom",
    "transport": { "kind": "broker", "queuePath": "/private/loom/run/command-queue" }
  }
and give it by an absolute path, as a flag or in the variable:
  loom-tools tools --loom-retrieval-config /etc/loom/retrieval.json
  export CF_HARNESS_LOOM_RETRIEVAL_CONFIG=/etc/loom/retrieval.json
  loom-tools call loom_search --input '{"query":"tram"}'
  loom-tools mcp

`loom-tools config-schema retrieval` prints the schema of that file, and `config-schema commands`
that of the command tools' file.

Exit status: 0, also for a tool's result that is an error; 2 for a usage or configuration error;
1 for anything else; 128 and the signal's number when a signal ended it."#;

/// Of `call`.
pub(super) const CALL: &str = r#"Examples:
  loom-tools call loom_search --input '{"query":"tram","limit":5}'
  loom-tools call loom_people --input '{"query":"mira@example.org"}' --artifact
  loom-tools call list_commands --state run.json
  loom-tools call run_command --state run.json --prompt-slot direct-command --input @call.json"#;

/// Of `session`.
pub(super) const SESSION: &str = r#"A line holds the calls of one turn, or a structured result to resolve:
  {"calls":[{"id":"1","tool":"loom_search","input":{"query":"tram"}}]}
  {"resolveResult":{"source":"cfh:v:abcde"}}"#;

/// Of `mcp`.
#[cfg(feature = "mcp")]
pub(super) const MCP: &str = r#"A client's entry for it:
  { "mcpServers": { "loom": {
      "command": "loom-tools",
      "args": ["mcp", "--loom-retrieval-config", "/etc/loom/retrieval.json"] } } }

It serves one run. It ends with its input, with a signal, and with its parent; whatever it had
started is killed first. Logs go to standard error."#;

/// Of `completions`.
pub(super) const COMPLETIONS: &str = r#"Examples:
  loom-tools completions bash > ~/.local/share/bash-completion/completions/loom-tools
  loom-tools completions zsh > ~/.zfunc/_loom-tools
  loom-tools completions fish > ~/.config/fish/completions/loom-tools.fish"#;

/// Of `man`.
pub(super) const MAN: &str = r#"Examples:
  loom-tools man > /usr/local/share/man/man1/loom-tools.1
  loom-tools man mcp > /usr/local/share/man/man1/loom-tools-mcp.1"#;
