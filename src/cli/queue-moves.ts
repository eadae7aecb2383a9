import { Command, Option } from 'commander';
import type { Message } from '../core/message.js';
import { invalidInput, isOutage, PillarboxError } from '../core/errors.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentMessage } from '../presentation/message.js';
import { audit } from './audit.js';
import { EXIT } from './exit.js';
import { Progress } from './progress.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { endWith } from './surroundings.js';
import { amount, harmless, levelMark, mark, say, sayAside, sayJson } from './terminal.js';

interface Move {
  /** As the audit log calls it: `retry`. */
  readonly name: string;
  readonly one: (box: Pillarbox, id: string) => Promise<Message>;
}

interface GroupMove extends Move {
  readonly name: 'retry' | 'dismiss';
  readonly doing: string;
  /** What they then are. */
  readonly done: string;
}

export const retryCommand = (): Command =>
  groupCommand('give dead messages a fresh round of tries', {
    name: 'retry',
    one: (box, id) => box.messages.retry(id),
    doing: 'retrying',
    done: 'due again. See what becomes of them: pillarbox queue ls',
  });

export const dismissCommand = (): Command =>
  groupCommand('take dead or held messages off the work lists', {
    name: 'dismiss',
    one: (box, id) => box.messages.dismiss(id),
    doing: 'dismissing',
    done: 'dismissed. What is left: pillarbox queue causes',
  });

export const cancelCommand = (): Command =>
  withCommon(new Command('cancel'))
    .description('stop messages that have not been handed over')
    .argument('<ids...>', 'ids of messages')
    .action((ids: string[], flags: CommonOptions) =>
      withBox(flags, (box) =>
        moveEach(box, ids, flags, { name: 'cancel', one: (each, id) => each.messages.cancel(id) }),
      ),
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
      withBox(flags, (box) =>
        moveEach(
          box,
          ids,
          flags,
          { name: 'resolve', one: (each, id) => each.messages.resolve(id, flags.as) },
          { as: flags.as },
        ),
      ),
    );

/** A move for some messages, or for all dead ones of a cause. */
function groupCommand(description: string, move: GroupMove): Command {
  return withCommon(new Command(move.name))
    .description(description)
    .argument('[ids...]', 'ids of messages')
    .option('--group <fingerprint>', 'all dead messages of one cause, see "queue causes"')
    .action(async (ids: string[], flags: CommonOptions & { group?: string }) => {
      const { group } = flags;
      if ((ids.length === 0) === (group === undefined)) {
        throw invalidInput('ids', 'give some, or --group, but not both');
      }
      await withBox(flags, (box) =>
        group === undefined ? moveEach(box, ids, flags, move) : moveGroup(box, group, flags, move),
      );
    });
}

async function moveGroup(
  box: Pillarbox,
  group: string,
  { json }: CommonOptions,
  move: GroupMove,
): Promise<void> {
  const known = (await box.messages.deadGroups()).find(({ fingerprint }) => fingerprint === group);
  const progress = new Progress(move.doing, known?.count ?? 0);
  const { done, conflicts } = await box.messages.actOnGroup(move.name, group, Infinity, (count) =>
    progress.at(count),
  );
  progress.end();
  const action = `message.dead-group.${move.name}`;
  if (done > 0)
    await audit(box.store, { workspaceId: box.home.id, action, target: group, details: { done } });
  if (json) sayJson({ done, conflicts, more: false });
  else if (done + conflicts === 0)
    say('No dead message has this cause. Which there are: pillarbox queue causes');
  else if (done > 0) say(levelMark('fine', `${amount(done, 'message')} ${move.done}`));
  if (conflicts > 0) sayAside(`${amount(conflicts, 'message')} stayed. Why: pillarbox queue ${move.name} ID`);
}

/** What can't be done for one message does not stop the others. */
async function moveEach(
  box: Pillarbox,
  ids: readonly string[],
  { json }: CommonOptions,
  { name, one }: Move,
  details?: object,
): Promise<void> {
  const moved: Message[] = [];
  const refused: string[] = [];
  const wanted = [...new Set(ids)];
  for (const id of wanted) {
    try {
      const message = await one(box, id);
      moved.push(message);
      await audit(box.store, { workspaceId: box.home.id, action: `message.${name}`, target: id, details });
      if (!json) say(`${mark(message.state)}  ${message.id}`);
    } catch (error) {
      if (!(error instanceof PillarboxError) || isOutage(error)) throw error;
      refused.push(id);
      sayAside(harmless(`${id}: ${error.message}`));
    }
  }
  if (refused.length > 0) endWith(EXIT.failed);
  const [only] = moved;
  // One message is answered as itself; several as what became of them.
  if (json && wanted.length > 1) {
    sayJson({ done: moved.length, conflicts: refused.length, refused, more: false });
  } else if (json && only) sayJson(presentMessage(only));
  else if (!json && wanted.length > 1) say(`${moved.length} of ${amount(wanted.length, 'message')} done.`);
}
