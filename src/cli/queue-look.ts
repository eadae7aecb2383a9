import { Command, InvalidArgumentError } from 'commander';
import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import { ALL_STATES, type State } from '../core/lifecycle.js';
import type { Attempt, Message } from '../core/message.js';
import { presentAttempt, presentDeadGroup, presentExplanation, presentMessage } from '../presentation.js';
import { parseLimit } from './limit.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import type { Column } from './table.js';
import { harmless, levelMark, mark, relative, say, sayJson, table } from './terminal.js';

interface ListFlags extends CommonOptions {
  readonly state?: State[];
  readonly to?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export function listCommand(): Command {
  return withCommon(new Command('ls'))
    .description('list messages, newest first')
    .option('--state <states>', `only these, separated by commas: ${ALL_STATES.join(', ')}`, parseStates)
    .option('--to <address>', 'only to exactly this address', parseRecipient)
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
        say(table(page.items, listColumns(await box.now())));
        const older = page.nextCursor === null ? '' : `Older: --cursor ${page.nextCursor}   `;
        say(`${page.items.length} shown. ${older}Why: pillarbox queue explain ID`);
      }),
    );
}

const listColumns = (now: number): Column<Message>[] => [
  { title: '  STATE', text: ({ state }) => mark(state) },
  { title: 'TO', text: ({ to }) => harmless(to.email), gives: { order: 3, least: 12 } },
  { title: 'SUBJECT', text: ({ subject }) => harmless(subject ?? ''), gives: { order: 1, least: 12 } },
  {
    title: 'TRIES',
    text: ({ attempts, maxAttempts }) => `${attempts}/${maxAttempts}`,
    gives: { order: 2, least: 0 },
  },
  { title: 'WHEN', text: (message) => relative(message.nextAttemptAt ?? message.updatedAt, now) },
  { title: 'ID', text: ({ id }) => id },
];

export function showCommand(): Command {
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
    gives: { order: 1, least: 12 },
  },
];

export function explainCommand(): Command {
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

export function causesCommand(): Command {
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
            { title: 'SAMPLE', text: ({ sample }) => harmless(sample), gives: { order: 1, least: 12 } },
            { title: 'CAUSE', text: ({ fingerprint }) => fingerprint },
          ]),
        );
        say('Retry all of one cause: pillarbox queue retry --cause CAUSE');
      }),
    );
}

function parseStates(text: string): State[] {
  return text.split(',').map((name) => {
    const state = ALL_STATES.find((each) => each === name.trim());
    if (!state) throw new InvalidArgumentError(`There are ${ALL_STATES.join(', ')}.`);
    return state;
  });
}

/** As it is stored: the domain in small letters. */
function parseRecipient(text: string): string {
  const parsed = parseAddress(text);
  if ('fault' in parsed) throw new InvalidArgumentError(`It ${ADDRESS_FAULT_TEXT[parsed.fault]}.`);
  return parsed.address;
}
