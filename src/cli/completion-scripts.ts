/** One command and the words that may follow it. */
export interface CommandWords {
  /** The words that lead to it; none: the program itself. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly word: string; readonly description: string }[];
  readonly options: readonly {
    readonly word: string;
    readonly description: string;
    /** A value follows it. */
    readonly takes: boolean;
    readonly choices: readonly string[];
  }[];
  /** Of its arguments. */
  readonly choices: readonly string[];
}

export type Shell = 'bash' | 'zsh' | 'fish';

export const SHELLS: Record<Shell, (all: readonly CommandWords[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Our words are plain letters and hyphens; what people read may hold a quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const pathOf = ({ path }: CommandWords): string => path.join(' ');
const wordsAfter = ({ commands, choices, options }: CommandWords): string =>
  [...commands.map(({ word }) => word), ...choices, ...options.map(({ word }) => word)].join(' ');

/** Lines of a `case` that are the same in bash and in zsh. */
function casesOf(all: readonly CommandWords[]) {
  const paths = all.filter(({ path }) => path.length > 0).map((each) => quoted(` ${pathOf(each)}`));
  const withChoices = all.flatMap((each) =>
    each.options
      .filter(({ choices }) => choices.length > 0)
      .map(
        ({ word, choices }) =>
          `    ${quoted(`${pathOf(each)} ${word}`)}) words=${quoted(choices.join(' '))} ;;`,
      ),
  );
  const taking = all.flatMap((each) =>
    each.options
      .filter(({ takes, choices }) => takes && choices.length === 0)
      .map(({ word }) => quoted(`${pathOf(each)} ${word}`)),
  );
  const words = all.map((each) => `        ${quoted(pathOf(each))}) words=${quoted(wordsAfter(each))} ;;`);
  return { paths: paths.join('|'), withChoices, taking: taking.join('|'), words };
}

function bashScript(all: readonly CommandWords[]): string {
  const { paths, withChoices, taking, words } = casesOf(all);
  return `# bash completion of pillarbox: source <(pillarbox completion bash)
_pillarbox() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" n
  for ((n = 1; n < COMP_CWORD; n++)); do
    case "$path \${COMP_WORDS[n]}" in
      ${paths}) path="$path \${COMP_WORDS[n]}" ;;
    esac
  done
  path="\${path# }"
  COMPREPLY=()
  case "$path $before" in
${withChoices.join('\n')}
    ${taking}) return ;;
    *)
      case "$path" in
${words.join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pillarbox pillarbox`;
}

function zshScript(all: readonly CommandWords[]): string {
  const { paths, withChoices, taking, words } = casesOf(all);
  return `#compdef pillarbox
# zsh completion of pillarbox: source <(pillarbox completion zsh)
_pillarbox() {
  local before="\${words[CURRENT-1]}" way="" n
  local -a typed; typed=("\${words[@]}")
  local words=""
  for ((n = 2; n < CURRENT; n++)); do
    case "$way \${typed[n]}" in
      ${paths}) way="$way \${typed[n]}" ;;
    esac
  done
  way="\${way# }"
  case "$way $before" in
${withChoices.join('\n')}
    ${taking}) _files; return ;;
    *)
      case "$way" in
${words.join('\n')}
      esac ;;
  esac
  compadd -- \${=words}
}
compdef _pillarbox pillarbox`;
}

function fishScript(all: readonly CommandWords[]): string {
  const known = all.filter(({ path }) => path.length > 0).map((each) => quoted(pathOf(each)));
  const lines = all.flatMap((each) => {
    const at = `complete -c pillarbox -n ${quoted(`__pillarbox_at ${quoted(pathOf(each))}`)}`;
    const { commands, choices, options } = each;
    return [
      ...commands.map(({ word, description }) => `${at} -f -a ${quoted(word)} -d ${quoted(description)}`),
      ...choices.map((word) => `${at} -f -a ${quoted(word)}`),
      ...options.map(({ word, description, takes, choices: values }) => {
        const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takes ? ' -r' : '';
        return `${at} -l ${quoted(word.slice(2))}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# fish completion of pillarbox: pillarbox completion fish > ~/.config/fish/completions/pillarbox.fish
function __pillarbox_at
  set -l known ${known.join(' ')}
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim -- "$path $word")
    contains -- $longer $known; and set path $longer
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}`;
}
