import { Command, InvalidArgumentError, Option } from 'commander';
import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import { ALL_STATES, type State } from '../core/lifecycle.js';
import { LANES, type AttemptOutcome, type Attempt, type Lane, type Message } from '../core/message.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentDeadLetters } from '../presentation/dead-letters.js';
import { presentExplanation } from '../presentation/explanation.js';
import { presentMessageWithTries } from '../presentation/message-detail.js';
import { presentMessage } from '../presentation/message.js';
import { accountNamed } from './account-named.js';
import { parseLimit } from './limit.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import type { Column } from './table.js';
import {
  amount,
  harmless,
  isUtf8,
  levelMark,
  mark,
  relative,
  say,
  sayJson,
  since,
  table,
  zoneName,
} from './terminal.js';

interface ListFlags extends CommonOptions {
  readonly state?: State[];
  readonly to?: string;
  readonly q?: string;
  readonly lane?: Lane;
  readonly account?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export function listCommand(): Command {
  return withCommon(new Command('ls'))
    .description('list messages, newest first')
    .option('--state <states>', `only these, separated by commas: ${ALL_STATES.join(', ')}`, parseStates)
    .option('--to <address>', 'only to exactly this address', parseRecipient)
    .option('--q <words>', 'an id, a key, a Message-ID, the beginning of an address, or words of the subject')
    .addOption(new Option('--lane <lane>', 'only of this lane').choices([...LANES]))
    .option('--account <account>', 'only of this account: its id, its name or its address')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .action((flags: ListFlags) =>
      withBox(flags, async (box) => {
        const { state, to, q, lane, account, limit, cursor } = flags;
        const accountId = account === undefined ? undefined : (await accountNamed(box, account)).id;
        const page = await box.messages.list({ state, to, q, lane, accountId, limit, cursor });
        if (flags.json) {
          sayJson({ items: page.items.map(presentMessage), nextCursor: page.nextCursor });
          return;
        }
        if (page.items.length === 0 && page.nextCursor === null) {
          say(whyNone(flags));
          return;
        }
        const now = await box.now();
        const { timezone } = await box.home.settings.sending();
        if (page.items.length > 0) say(table(page.items, listColumns(now, timezone)));
        const older = page.nextCursor === null ? '' : ` Older: --cursor ${page.nextCursor}  `;
        const shown = await shownOf(box, page.items.length, flags);
        say(`${shown}. Times in ${zoneName(timezone, now)}.${older} Why: pillarbox queue explain ID`);
      }),
    );
}

/** Which of the filters to drop. */
function whyNone({ state, to, q, lane, account, cursor }: ListFlags): string {
  if (cursor !== undefined) return 'Nothing is older.';
  const given = Object.entries({ state, to, q, lane, account }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return 'The queue is empty. Put a mail into it: pillarbox send --help';
  return `No message matches. Try without ${given.map(([name]) => `--${name}`).join(' and ')}.`;
}

/** "4 of 510" where counters know it; searching is not counting. */
async function shownOf(box: Pillarbox, shown: number, flags: ListFlags): Promise<string> {
  const { state, to, q, lane, account } = flags;
  if ([to, q, lane, account].some((filter) => filter !== undefined)) return `${shown} shown`;
  const counts = await box.messages.countByState();
  const all = (state ?? ALL_STATES).reduce((sum, each) => sum + counts[each], 0);
  return `${shown.toLocaleString('en-US')} of ${Math.max(shown, all).toLocaleString('en-US')}`;
}

const listColumns = (now: number, timezone: string): Column<Message>[] => [
  { title: '  STATE', text: ({ state }) => mark(state) },
  { title: 'TO', text: ({ to }) => harmless(to.email), gives: { order: 3, least: 12 } },
  { title: 'SUBJECT', text: ({ subject }) => harmless(subject ?? ''), gives: { order: 1, least: 12 } },
  {
    title: 'TRIES',
    text: ({ attempts, maxAttempts }) => `${attempts}/${maxAttempts}`,
    gives: { order: 2, least: 0 },
  },
  {
    title: 'WHEN',
    text: ({ state, nextAttemptAt, updatedAt }) =>
      state === 'held'
        ? since(updatedAt, now, timezone)
        : relative(nextAttemptAt ?? updatedAt, now, timezone),
  },
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
        const inline = await box.messages.inlineAttempt(id);
        const explanation = await box.messages.explain(id);
        if (flags.json) {
          const planned = await box.messages.plannedAttempts(id);
          sayJson(presentMessageWithTries(message, inline, attempts, planned));
          return;
        }
        const { to, subject, messageId, createdAt } = message;
        say(`${mark(message.state)}  ${id}`);
        say(`to       ${harmless(to.name === null ? to.email : `${to.name} <${to.email}>`)}`);
        say(`subject  ${harmless(subject ?? '')}`);
        say(`created  ${new Date(createdAt).toISOString()}   Message-ID ${messageId}`);
        const tries = [...(inline ? [{ ...inline, number: 'inline' }] : []), ...attempts];
        if (tries.length > 0) say(`\n${table(tries, attemptColumns)}`);
        say(`\n${harmless(explanation.sentence)}${nextOf(message.state, id)}`);
      }),
    );
}

/** A try that failed is not a dead message and never borrows its square. */
const ATTEMPT_GLYPHS: Record<AttemptOutcome, readonly [utf8: string, ascii: string]> = {
  success: ['✓', '+'],
  failed: ['⊗', 'x'],
  rate_limited: ['◔', '%'],
  in_doubt: ['◆', '?'],
};

const attemptColumns: Column<Omit<Attempt, 'number'> & { readonly number: number | string }>[] = [
  { title: 'TRY', text: ({ number }) => String(number) },
  { title: 'FINISHED', text: ({ finishedAt }) => new Date(finishedAt).toISOString() },
  {
    title: '  OUTCOME',
    text: ({ outcome }) => `${ATTEMPT_GLYPHS[outcome][isUtf8() ? 0 : 1]} ${outcome.replace('_', ' ')}`,
  },
  { title: 'CODE', text: ({ errorCode }) => harmless(errorCode ?? '') },
  {
    title: 'ANSWER',
    text: (attempt) => harmless(attempt.errorMessage ?? attempt.providerMessageId ?? ''),
    gives: { order: 1, least: 12 },
  },
];

/** What a person can do about it, if anything. */
function nextOf(state: State, id: string): string {
  switch (state) {
    case 'dead':
      return `\nRetry: pillarbox queue retry ${id}   Give up: pillarbox queue dismiss ${id}`;
    case 'held':
      return `\nDecide: pillarbox queue resolve ${id} --as sent, or --as unsent to send it again`;
    case 'scheduled':
    case 'queued':
    case 'retry_scheduled':
      return `\nStop it: pillarbox queue cancel ${id}`;
    default:
      return '';
  }
}

export function explainCommand(): Command {
  return withCommon(new Command('explain'))
    .description('say why a message has not left, and until when')
    .argument('<id>', 'the id of the message')
    .action((id: string, flags: CommonOptions) =>
      withBox(flags, async (box) => {
        const explanation = await box.messages.explain(id);
        const { state, sentence } = explanation;
        if (flags.json) sayJson(presentExplanation(explanation));
        else say(`${mark(state)}  ${harmless(sentence)}${nextOf(state, id)}`);
      }),
    );
}

export function causesCommand(): Command {
  return withCommon(new Command('causes'))
    .description('list dead messages by cause')
    .action((flags: CommonOptions) =>
      withBox(flags, async (box) => {
        const letters = await box.messages.deadLetters();
        const { groups } = letters;
        if (flags.json) {
          sayJson(presentDeadLetters(letters));
          return;
        }
        if (groups.length === 0) {
          say(levelMark('fine', 'No dead messages.'));
          return;
        }
        const now = await box.now();
        const dead = groups.reduce((sum, { count }) => sum + count, 0);
        say(
          table(groups, [
            { title: '  COUNT', text: ({ count }) => mark('dead', count.toLocaleString('en-US')) },
            { title: 'CODE', text: ({ code }) => harmless(code) },
            { title: 'CLASS', text: (group) => group.class, gives: { order: 2, least: 0 } },
            { title: 'SAMPLE', text: ({ sample }) => harmless(sample), gives: { order: 1, least: 12 } },
            { title: 'LAST', text: ({ lastAt }) => relative(lastAt, now), gives: { order: 3, least: 0 } },
            { title: 'GROUP', text: ({ fingerprint }) => fingerprint },
          ]),
        );
        const causes = amount(groups.length, 'cause');
        say(`${amount(dead, 'dead message')} of ${causes}. Retry one: pillarbox queue retry --group GROUP`);
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
