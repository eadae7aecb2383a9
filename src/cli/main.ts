import { Command, CommanderError } from 'commander';
import { ownVersion } from '../version.js';
import { accountsCommand } from './accounts.js';
import { catcherCommand } from './catcher.js';
import { completionCommand } from './completion.js';
import { demoCommand } from './demo.js';
import { doctorCommand } from './doctor.js';
import { EXIT, explainFault } from './exit.js';
import { inboxCommand } from './inbox.js';
import { keysCommand } from './keys.js';
import { migrateCommand } from './migrate.js';
import { permissionCommands } from './permissions.js';
import { queueCommand } from './queue.js';
import { secretsCommand } from './secrets.js';
import { sendCommand } from './send.js';
import { serveCommand } from './serve.js';
import { workCommand } from './work.js';
import { workspacesCommand } from './workspaces.js';

function program(): Command {
  const root = new Command('pillarbox')
    .description('Mail goes in once and leaves once.')
    .version(ownVersion());
  for (const command of [
    serveCommand(),
    migrateCommand(),
    workCommand(),
    sendCommand(),
    queueCommand(),
    accountsCommand(),
    ...permissionCommands(),
    keysCommand(),
    workspacesCommand(),
    secretsCommand(),
    doctorCommand(),
    catcherCommand(),
    inboxCommand(),
    demoCommand(),
    completionCommand(() => root),
  ]) {
    root.addCommand(command);
  }
  prepare(root);
  return root;
}

/** Commander ends the process by itself, with codes of its own; ours are promised. */
function prepare(command: Command): void {
  command.exitOverride().showHelpAfterError('(see --help)');
  command.commands.forEach(prepare);
}

/** Runs one command line and answers its exit code. Only data goes to stdout. */
export async function main(argv: readonly string[]): Promise<number> {
  // Whoever reads our output may stop reading, as `head` does: that is no fault.
  process.stdout.on('error', (error: { code?: string }) => {
    if (error.code !== 'EPIPE') throw error as Error;
    process.exit(0);
  });
  try {
    await program().parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Help and version were asked for; faults have been printed with a hint.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.wrongUsage;
    return explainFault(error);
  }
}
