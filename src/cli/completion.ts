import { Argument, Command } from 'commander';
import { SHELLS, type CommandWords, type Shell } from './completion-scripts.js';
import { say, sayJson } from './terminal.js';

/** `tree`: all there is, which is known only when this one is part of it. */
export function completionCommand(tree: () => Command): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(SHELLS)))
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      `
  bash  source <(pillarbox completion bash)     in ~/.bashrc
  zsh   source <(pillarbox completion zsh)      in ~/.zshrc, behind compinit
  fish  pillarbox completion fish > ~/.config/fish/completions/pillarbox.fish`,
    )
    .action((shell: Shell, { json }: { json?: boolean }) => {
      const script = SHELLS[shell](wordsOf(tree()));
      if (json) sayJson({ shell, script });
      else say(script);
    });
}

/** Every command, by the words that lead to it, and what may follow. */
function wordsOf(command: Command, path: readonly string[] = []): readonly CommandWords[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  const own: CommandWords = {
    path,
    commands: help
      .visibleCommands(command)
      .map((each) => ({ word: each.name(), description: firstOf(each.description()) })),
    options: options.flatMap(({ long, description, argChoices, required, optional }) =>
      long === undefined
        ? []
        : [
            {
              word: long,
              description: firstOf(description),
              takes: required || optional,
              choices: argChoices ?? [],
            },
          ],
    ),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [own, ...command.commands.flatMap((each) => wordsOf(each, [...path, each.name()]))];
}

/** Up to the first stop: a list of hints has no room for more. */
const firstOf = (text: string): string => text.split(/[;:]/)[0] ?? '';
