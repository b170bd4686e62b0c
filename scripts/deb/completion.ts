import type { Command } from 'commander';

/* The completion of bash, made from the declarations of commands. */

/** The words that may follow each command, by its words: `"vesfx key"`. */
function wordsAfter(
  command: Command,
  above: string,
  shared: readonly string[],
): [string, string][] {
  const path = `${above} ${command.name()}`.trim();
  const flags = command.options.flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((child) => child.name()), ...flags, ...shared, '--help'];
  return [
    [path, [...new Set(words)].join(' ')],
    ...command.commands.flatMap((child) => wordsAfter(child, path, shared)),
  ];
}

export function completion(program: Command): string {
  const shared = program.options.flatMap(({ long }) => (long === '--version' ? [] : (long ?? [])));
  const cases = wordsAfter(program, '', shared)
    .map(([path, words]) => `    '${path}') words='${words}' ;;`)
    .join('\n');
  return `# Completion of vesfx for bash.
_vesfx() {
  local path=vesfx words='' word
  local current=\${COMP_WORDS[COMP_CWORD]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) ;;
      *) if [ -n "$(_vesfx_words "$path $word")" ]; then path="$path $word"; fi ;;
    esac
  done
  words=$(_vesfx_words "$path")
  COMPREPLY=()
  # A name of a file, where a command takes one.
  if [[ $current != -* ]]; then mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi
  mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$words" -- "$current")
}
_vesfx_words() {
  local words=''
  case $1 in
${cases}
  esac
  printf %s "$words"
}
complete -o filenames -F _vesfx vesfx
`;
}
