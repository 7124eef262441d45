interface Words {
  commands: string[]
  options: string[]
  operations: string[]
}

/** The script of a shell; undefined for one that is not known. */
export function completion(shell: string, { commands, options, operations }: Words): string | undefined {
  const first = commands.join(' ')
  const others = options.join(' ')
  const names = operations.join(' ')
  if (shell === 'bash' || shell === 'zsh') {
    const bash = `_energy_prices() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="${first}"
  if [ "$COMP_CWORD" -gt 1 ]; then words="${others}"; fi
  if [ "\${COMP_WORDS[1]}" = call ] && [ "$COMP_CWORD" -eq 2 ]; then words="${names}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _energy_prices energy-prices`
    return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`
  }
  if (shell !== 'fish') return undefined
  return [
    `complete -c energy-prices -f -n __fish_use_subcommand -a '${first}'`,
    `complete -c energy-prices -f -n '__fish_seen_subcommand_from call' -a '${names}'`,
    ...options.map((option) => `complete -c energy-prices -l ${option.slice(2)}`),
  ].join('\n')
}
