import { Command } from 'commander';
import { auditPersonal } from './audit.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import { amount, levelMark, say, sayAside, sayJson } from './terminal.js';
import { presentErasure } from '../presentation/person.js';

export const forgetCommand = (): Command =>
  withCommon(new Command('forget'))
    .description('erase a person: everything that is kept about an address in this workspace')
    .argument('<email>', 'the address')
    .addHelpText(
      'after',
      `
What waits to be sent to it is cancelled, what was sent is blanked. If it must not be written to, that is still known
afterwards, by a keyed hash. A SQLite file is written anew, so that no unused byte tells of it; others wait meanwhile.
Exit 1: nothing is kept about it. There is no way back.`,
    )
    .action((email: string, flags: CommonOptions) =>
      withBox(
        flags,
        async (box) => {
          const report = await box.privacy.erase(email, Infinity);
          await auditPersonal(box, { action: 'person.erase', target: email });
          if (flags.json) {
            sayJson(presentErasure(report));
            return;
          }
          const { messages, cancelled, inFlight, suppressed } = report;
          say(levelMark('fine', `Erased. ${amount(messages, 'message')}, ${cancelled} of them cancelled.`));
          if (inFlight > 0) say(`${amount(inFlight, 'message')} will be erased when they have left.`);
          if (report.events.length > 0)
            say(`${amount(report.events.length, 'event')} still name it; others were told of them too.`);
          if (suppressed) say('It is still known, by a hash, that nobody may write there.');
          if (!report.scrubbed)
            sayAside('Others were at work: traces are left in unused bytes of the file, until a VACUUM.');
        },
        withSecrets,
      ),
    );
