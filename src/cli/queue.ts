import { Command, InvalidArgumentError, Option } from 'commander';
import { ALL_STATES, type State } from '../core/lifecycle.js';
import type { Attempt, Message } from '../core/message.js';
import { invalidInput } from '../errors.js';
import type { Pillarbox } from '../pillarbox.js';
import { presentAttempt, presentDeadGroup, presentExplanation, presentMessage } from '../presentation.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { harmless, levelMark, mark, relative, say, sayJson, table, type Column } from './terminal.js';

export function queueCommand(): Command {
  const queue = new Command('queue').description('look at messages and decide about them');
  queue.addCommand(listCommand());
  queue.addCommand(showCommand());
  queue.addCommand(explainCommand());
  queue.addCommand(causesCommand());
  queue.addCommand(
    moveCommand('retry', 'give dead messages a fresh round of tries', (box, id) => box.messages.retry(id)),
  );
  queue.addCommand(
    moveCommand('dismiss', 'take dead or held messages off the work lists', (box, id) =>
      box.messages.dismiss(id),
    ),
  );
  queue.addCommand(
    moveCommand('cancel', 'stop messages that have not been handed over', (box, id) =>
      box.messages.cancel(id),
    ),
  );
  queue.addCommand(resolveCommand());
  return queue;
}

interface ListFlags extends CommonOptions {
  readonly state?: State[];
  readonly to?: string;
  readonly limit: number;
  readonly cursor?: string;
}

function listCommand(): Command {
  return withCommon(new Command('ls'))
    .description('list messages, newest first')
    .option('--state <states>', `only these, separated by commas: ${ALL_STATES.join(', ')}`, parseStates)
    .option('--to <address>', 'only to exactly this address')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .action((flags: ListFlags) =>
      withBox(flags, async (box) => {
        const { state, to, limit, cursor } = flags;
        const page = await box.messages.list({ state, to, limit, cursor });
        if (flags.json) {
          sayJson({ items: page.items.map(presentMessage), nextCursor: page.nextCursor });
          return;
        }
        if (page.items.length === 0) {
          say(state || to ? 'No message matches. Try without --state and --to.' : 'The queue is empty.');
          return;
        }
        say(table(page.items, listColumns(Date.now())));
        const older = page.nextCursor === null ? '' : `Older: --cursor ${page.nextCursor}   `;
        say(`${page.items.length} shown. ${older}Why: pillarbox queue explain ID`);
      }),
    );
}

const listColumns = (now: number): Column<Message>[] => [
  { title: '  STATE', text: ({ state }) => mark(state) },
  { title: 'TO', text: ({ to }) => harmless(to.email), shrinks: true },
  { title: 'SUBJECT', text: ({ subject }) => harmless(subject ?? ''), shrinks: true },
  { title: 'TRIES', text: ({ attempts, maxAttempts }) => `${attempts}/${maxAttempts}` },
  { title: 'WHEN', text: (message) => relative(message.nextAttemptAt ?? message.updatedAt, now) },
  { title: 'ID', text: ({ id }) => id },
];

function showCommand(): Command {
  return withCommon(new Command('show'))
    .description('show one message with every try')
    .argument('<id>', 'the id of the message')
    .action((id: string, flags: CommonOptions) =>
      withBox(flags, async (box) => {
        const message = await box.messages.get(id);
        const attempts = await box.messages.attempts(id);
        const explanation = await box.messages.explain(id);
        if (flags.json) {
          sayJson({ ...presentMessage(message), attemptLog: attempts.map(presentAttempt) });
          return;
        }
        const { to, subject, messageId, createdAt } = message;
        say(`${mark(message.state)}  ${id}`);
        say(`to       ${harmless(to.name === null ? to.email : `${to.name} <${to.email}>`)}`);
        say(`subject  ${harmless(subject ?? '')}`);
        say(`created  ${new Date(createdAt).toISOString()}   Message-ID ${messageId}`);
        if (attempts.length > 0) say(`\n${table(attempts, attemptColumns)}`);
        say(`\n${harmless(explanation.sentence)}`);
      }),
    );
}

const attemptColumns: Column<Attempt>[] = [
  { title: 'TRY', text: ({ number }) => String(number) },
  { title: 'FINISHED', text: ({ finishedAt }) => new Date(finishedAt).toISOString() },
  { title: 'OUTCOME', text: ({ outcome }) => outcome.replace('_', ' ') },
  { title: 'CODE', text: ({ errorCode }) => harmless(errorCode ?? '') },
  {
    title: 'ANSWER',
    text: (attempt) => harmless(attempt.errorMessage ?? attempt.providerMessageId ?? ''),
    shrinks: true,
  },
];

function explainCommand(): Command {
  return withCommon(new Command('explain'))
    .description('say why a message has not left, and until when')
    .argument('<id>', 'the id of the message')
    .action((id: string, flags: CommonOptions) =>
      withBox(flags, async (box) => {
        const explanation = await box.messages.explain(id);
        if (flags.json) sayJson(presentExplanation(explanation));
        else say(`${mark(explanation.state)}  ${harmless(explanation.sentence)}`);
      }),
    );
}

function causesCommand(): Command {
  return withCommon(new Command('causes'))
    .description('list dead messages by cause')
    .action((flags: CommonOptions) =>
      withBox(flags, async (box) => {
        const groups = await box.messages.deadGroups();
        if (flags.json) {
          sayJson({ items: groups.map(presentDeadGroup), nextCursor: null });
          return;
        }
        if (groups.length === 0) {
          say(levelMark('fine', 'No dead messages.'));
          return;
        }
        say(
          table(groups, [
            { title: 'COUNT', text: ({ count }) => String(count) },
            { title: 'CODE', text: ({ code }) => harmless(code) },
            { title: 'CLASS', text: (group) => group.class },
            { title: 'SAMPLE', text: ({ sample }) => harmless(sample), shrinks: true },
            { title: 'CAUSE', text: ({ fingerprint }) => fingerprint },
          ]),
        );
        say('Retry all of one cause: pillarbox queue retry --cause CAUSE');
      }),
    );
}

interface MoveFlags extends CommonOptions {
  readonly cause?: string;
}

function moveCommand(
  name: 'retry' | 'dismiss' | 'cancel',
  description: string,
  move: (box: Pillarbox, id: string) => Promise<Message>,
): Command {
  const command = withCommon(new Command(name))
    .description(description)
    .argument('[ids...]', 'ids of messages');
  if (name !== 'cancel')
    command.option('--cause <cause>', 'all dead messages of one cause, see "queue causes"');
  return command.action((ids: string[], flags: MoveFlags) =>
    withBox(flags, async (box) => {
      if ((ids.length === 0) === (flags.cause === undefined)) {
        throw invalidInput(
          'ids',
          name === 'cancel' ? 'give at least one' : 'give some, or --cause, but not both',
        );
      }
      if (flags.cause !== undefined) {
        const { messages } = box;
        const done = await (name === 'retry'
          ? messages.retryGroup(flags.cause)
          : messages.dismissGroup(flags.cause));
        if (flags.json) sayJson({ done });
        else
          say(
            `${done} ${done === 1 ? 'message' : 'messages'} ${name === 'retry' ? 'due again' : 'dismissed'}.`,
          );
        return;
      }
      await moveEach(box, ids, flags, move);
    }),
  );
}

function resolveCommand(): Command {
  return withCommon(new Command('resolve'))
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
}

async function moveEach(
  box: Pillarbox,
  ids: readonly string[],
  { json }: CommonOptions,
  move: (box: Pillarbox, id: string) => Promise<Message>,
): Promise<void> {
  const moved: Message[] = [];
  for (const id of ids) {
    const message = await move(box, id);
    moved.push(message);
    if (!json) say(`${mark(message.state)}  ${message.id}`);
  }
  if (json) sayJson(moved.map(presentMessage));
}

function parseStates(text: string): State[] {
  return text.split(',').map((name) => {
    const state = ALL_STATES.find((each) => each === name.trim());
    if (!state) throw new InvalidArgumentError(`${name} is not a state; there are ${ALL_STATES.join(', ')}`);
    return state;
  });
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 200)
    throw new InvalidArgumentError('give a whole number from 1 to 200');
  return limit;
}
