import { Command, Option } from 'commander';
import type { Message } from '../core/message.js';
import { invalidInput, PillarboxError } from '../errors.js';
import type { Pillarbox } from '../pillarbox.js';
import { presentMessage } from '../presentation.js';
import { EXIT } from './exit.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { amount, harmless, mark, say, sayAside, sayJson } from './terminal.js';

type Move = (box: Pillarbox, id: string) => Promise<Message>;

interface GroupMove {
  readonly move: (box: Pillarbox, cause: string) => Promise<number>;
  /** What they then are. */
  readonly done: string;
}

export const retryCommand = (): Command =>
  moveCommand('retry', 'give dead messages a fresh round of tries', (box, id) => box.messages.retry(id), {
    move: (box, cause) => box.messages.retryGroup(cause),
    done: 'due again',
  });

export const dismissCommand = (): Command =>
  moveCommand(
    'dismiss',
    'take dead or held messages off the work lists',
    (box, id) => box.messages.dismiss(id),
    { move: (box, cause) => box.messages.dismissGroup(cause), done: 'dismissed' },
  );

export const cancelCommand = (): Command =>
  withCommon(new Command('cancel'))
    .description('stop messages that have not been handed over')
    .argument('<ids...>', 'ids of messages')
    .action((ids: string[], flags: CommonOptions) =>
      withBox(flags, (box) => moveEach(box, ids, flags, (each, id) => each.messages.cancel(id))),
    );

export const resolveCommand = (): Command =>
  withCommon(new Command('resolve'))
    .description('say what became of a held message')
    .argument('<ids...>', 'ids of messages')
    .addOption(
      new Option('--as <what>', 'it was sent, or it was not and is sent again')
        .choices(['sent', 'unsent'])
        .makeOptionMandatory(),
    )
    .action((ids: string[], flags: CommonOptions & { as: 'sent' | 'unsent' }) =>
      withBox(flags, (box) => moveEach(box, ids, flags, (each, id) => each.messages.resolve(id, flags.as))),
    );

/** A move for some messages, or for all dead ones of a cause. */
function moveCommand(name: string, description: string, move: Move, group: GroupMove): Command {
  return withCommon(new Command(name))
    .description(description)
    .argument('[ids...]', 'ids of messages')
    .option('--cause <cause>', 'all dead messages of one cause, see "queue causes"')
    .action(async (ids: string[], flags: CommonOptions & { cause?: string }) => {
      const { cause } = flags;
      if ((ids.length === 0) === (cause === undefined)) {
        throw invalidInput('ids', 'give some, or --cause, but not both');
      }
      await withBox(flags, async (box) => {
        if (cause === undefined) return moveEach(box, ids, flags, move);
        const done = await group.move(box, cause);
        if (flags.json) sayJson({ done, conflicts: 0 });
        else if (done === 0) say('No dead message has this cause. Which there are: pillarbox queue causes');
        else say(`${amount(done, 'message')} ${group.done}.`);
      });
    });
}

/** What can't be done for one message does not stop the others. */
async function moveEach(
  box: Pillarbox,
  ids: readonly string[],
  { json }: CommonOptions,
  move: Move,
): Promise<void> {
  const items: ReturnType<typeof presentMessage>[] = [];
  const errors: { id: string; code: string; message: string }[] = [];
  for (const id of new Set(ids)) {
    try {
      const message = await move(box, id);
      items.push(presentMessage(message));
      if (!json) say(`${mark(message.state)}  ${message.id}`);
    } catch (error) {
      if (!(error instanceof PillarboxError) || error.code === 'store_unavailable') throw error;
      errors.push({ id, code: error.code, message: error.message });
      sayAside(harmless(`${id}: ${error.message}`));
    }
  }
  if (errors.length > 0) process.exitCode = EXIT.failed;
  if (!json) return;
  const [only] = items;
  // One message is answered as itself; several as what became of them.
  if (ids.length > 1) sayJson({ done: items.length, conflicts: errors.length, items, errors });
  else if (only) sayJson(only);
}
