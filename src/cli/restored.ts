import { Command } from 'commander';
import { levelMark, say, sayJson } from './terminal.js';
import { withStore } from './with-store.js';

export function restoredCommand(): Command {
  return new Command('restored')
    .description('after a backup was restored, or the database copied: hold what may have left since')
    .option('--keep', 'nothing has left since the copy was made; go on with what waits')
    .option('--json', 'print one JSON document and nothing else')
    .action(async ({ keep = false, json }: { keep?: boolean; json?: boolean }) => {
      const { holdAfterRestore, keepAfterRestore } = await import('../store/after-restore.js');
      const held = await withStore((store) =>
        keep ? keepAfterRestore(store).then(() => 0) : holdAfterRestore(store),
      );
      if (json) sayJson({ held });
      else if (keep) say(levelMark('fine', 'It goes on here with what waits.'));
      else if (held === 0) say(levelMark('fine', 'Nothing was waiting. It goes on here.'));
      else {
        say(levelMark('look', `${held} held: they may have left since the backup was made.`));
        say('What did not leave goes on with: pillarbox queue resolve <id> --as unsent');
      }
    });
}
