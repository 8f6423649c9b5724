// The script completes commands, and options of the command that was typed.
//! command completion bash
//! output complete -o filenames -F _rubato rubato
//! check {rubato} completion bash > c; bash -c 'source ./c; COMP_WORDS=(rubato simulate --fix); COMP_CWORD=2; _rubato; test "${COMPREPLY[*]}" = --fixed-step && COMP_WORDS=(rubato va); COMP_CWORD=1; _rubato; test "${COMPREPLY[*]}" = variables'
//! check {rubato} completion fish | grep -q -- '__fish_seen_subcommand_from plot" -l title' && {rubato} completion zsh | head -1 | grep -q '#compdef rubato'
