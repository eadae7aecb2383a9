import { Command } from 'commander';
import { causesCommand, explainCommand, listCommand, showCommand } from './queue-look.js';
import { cancelCommand, dismissCommand, resolveCommand, retryCommand } from './queue-moves.js';

export function queueCommand(): Command {
  const queue = new Command('queue').description('look at messages and decide about them');
  for (const command of [
    listCommand(),
    showCommand(),
    explainCommand(),
    causesCommand(),
    retryCommand(),
    dismissCommand(),
    cancelCommand(),
    resolveCommand(),
  ]) {
    queue.addCommand(command);
  }
  return queue;
}
