import { Command, CommanderError } from 'commander';
import { PillarboxError } from '../errors.js';
import { doctorCommand } from './doctor.js';
import { migrateCommand } from './migrate.js';
import { queueCommand } from './queue.js';
import { sendCommand } from './send.js';
import { workCommand } from './work.js';

const EXIT = { failed: 1, wrongUsage: 2 } as const;

function program(): Command {
  const root = new Command('pillarbox')
    .description('Mail goes in once and leaves once.')
    .version('0.1.0')
    .showHelpAfterError('(see --help)');
  for (const command of [migrateCommand(), workCommand(), sendCommand(), queueCommand(), doctorCommand()]) {
    root.addCommand(command);
  }
  throwInsteadOfExit(root);
  return root;
}

/** Commander ends the process by itself, with codes of its own; ours are promised. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwInsteadOfExit);
}

/** Runs one command line and answers its exit code. Only data goes to stdout. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version were asked for; faults have been printed with a hint.
      return error.exitCode === 0 ? 0 : EXIT.wrongUsage;
    }
    if (error instanceof PillarboxError) {
      process.stderr.write(`${error.message}\n`);
      return error.code === 'invalid_input' || error.code === 'invalid_config'
        ? EXIT.wrongUsage
        : EXIT.failed;
    }
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT.failed;
  }
}
