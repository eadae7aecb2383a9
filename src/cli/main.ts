import { Command, CommanderError } from 'commander';
import { ownVersion } from '../library/version.js';
import { accountsCommand } from './accounts.js';
import { campaignCommand } from './campaign.js';
import { catcherCommand } from './catcher.js';
import { completionCommand } from './completion.js';
import { contactsCommand } from './contacts.js';
import { demoCommand } from './demo.js';
import { doctorCommand } from './doctor.js';
import { eventsCommand } from './events.js';
import { EXIT, explainFault } from './exit.js';
import { forgetCommand } from './forget.js';
import { inboxCommand } from './inbox.js';
import { keysCommand } from './keys.js';
import { migrateCommand } from './migrate.js';
import { permissionCommands } from './permissions.js';
import { queueCommand } from './queue.js';
import { relayCommand } from './relay.js';
import { restoredCommand } from './restored.js';
import { secretsCommand } from './secrets.js';
import { sendCommand } from './send.js';
import { serveCommand } from './serve.js';
import { limitsCommand } from './limits.js';
import { simulateCommand } from './simulate.js';
import { subscriptionsCommand } from './subscriptions.js';
import { suppressionsCommand } from './suppressions.js';
import { endWith, surroundings, within, type Surroundings } from './surroundings.js';
import { templatesCommand } from './templates.js';
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
    relayCommand(),
    sendCommand(),
    queueCommand(),
    accountsCommand(),
    ...permissionCommands(),
    campaignCommand(),
    simulateCommand(),
    limitsCommand(),
    contactsCommand(),
    eventsCommand(),
    subscriptionsCommand(),
    templatesCommand(),
    suppressionsCommand(),
    forgetCommand(),
    keysCommand(),
    workspacesCommand(),
    secretsCommand(),
    restoredCommand(),
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
  command
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureOutput({
      writeOut: (text) => surroundings().stdout.write(text),
      writeErr: (text) => surroundings().stderr.write(text),
    });
  command.commands.forEach(prepare);
}

/** Runs one command line and answers its exit code. Only data goes to stdout. */
export const run = (args: readonly string[], around: Surroundings): Promise<number> =>
  within(around, async () => {
    try {
      await program().parseAsync(args, { from: 'user' });
    } catch (error) {
      endWith(error instanceof CommanderError ? codeOf(error) : explainFault(error));
    }
  });

/** Help and version were asked for; faults have been printed with a hint. */
const codeOf = ({ exitCode }: CommanderError): number => (exitCode === 0 ? 0 : EXIT.wrongUsage);

/** For a process that is nothing else. */
export function main(args: readonly string[]): Promise<number> {
  // Whoever reads our output may stop reading, as `head` does, or hang up: that is no fault.
  process.stdout.on('error', (error: { code?: string }) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error as Error;
    process.exit(0);
  });
  return run(args, process);
}
