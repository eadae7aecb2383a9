import { formatId } from '../core/ids.js';
import type { DeadLetters as KnownDeadLetters, JudgedGroup } from '../messages/dead-letters.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { Recipient } from './message.js';
import { instant, list, nextCursor, nullable, text, whole, word } from './shape.js';
import { ErrorClassWord, LevelWord } from './words.js';

export const DeadGroup = Type.Object(
  {
    fingerprint: text('5d41402abc4b2a76'),
    transport: text('smtp'),
    class: ErrorClassWord,
    code: text('421 4.7.0'),
    sample: text('421 4.7.0 try again later', 'As the server said it when it first happened.'),
    count: whole(128),
    firstAt: instant(undefined, '2026-11-15T09:12:00.000Z'),
    lastAt: instant(),
    cause: text('The server was busy', 'In words.'),
    accounts: list(text('Bookings'), 'The names of those that it happened to.'),
    days: list(whole(3), 'Deaths on each of the last seven days, today last.'),
    outlook: word(['over', 'change', 'untried'], {
      description:
        '`over`: it would likely leave. `change`: it would fail the same way. `untried`: nobody can tell yet.',
    }),
    sentence: text('41 mails left through Bookings since 14:00.'),
    onRetry: text(
      'Attempts start again at 0, and all 128 are due at once. What is past its expiry ends as expired.',
      'What would happen.',
    ),
    remedy: nullable(
      Type.Object({ verb: text('Suppressed addresses'), to: text('/settings/suppressions') }),
      'Where in the pages the cause is dealt with.',
    ),
    successesSince: whole(41, 'What left through the same accounts since.'),
    lastSuccessAt: nullable(instant(), undefined, '2026-11-16T14:20:00.000Z'),
    lastReply: text('421 4.7.0 try again later', 'The words of the server about the newest of them.'),
    newest: list(
      Type.Object({
        id: text('msg_4k7q'),
        to: Recipient,
        subject: text('Your room is booked'),
        diedAt: instant(),
      }),
    ),
  },
  { title: 'DeadGroup' },
);

export const DeadLetters = Type.Object(
  {
    items: list(DeadGroup),
    nextCursor: nextCursor(),
    summary: Type.Object({
      level: LevelWord,
      sentence: text('128 dead letters have 1 cause. It looks over.'),
      evidence: text('128 can be tried again now: other mail has left the same way since.'),
      retryable: Type.Object(
        { count: whole(128), fingerprints: list(text('5d41402abc4b2a76')) },
        { description: 'Those whose cause looks over.' },
      ),
    }),
    transports: list(text('smtp'), 'What can be asked for, whatever is asked for now.'),
    classes: list(ErrorClassWord),
    lastDismissedAt: nullable(instant(), 'Told when there are none: when the last one was dismissed.'),
  },
  { title: 'DeadLetters' },
);
export type DeadLetters = Static<typeof DeadLetters>;

const presentJudgedGroup = ({ newest, ...group }: JudgedGroup): Static<typeof DeadGroup> => ({
  ...group,
  firstAt: iso(group.firstAt),
  lastAt: iso(group.lastAt),
  lastSuccessAt: presentInstant(group.lastSuccessAt),
  newest: newest.map(({ id, recipient, recipientName, subject, finishedAt }) => ({
    id: formatId('message', id),
    to: { email: recipient, name: recipientName },
    subject: subject ?? '',
    diedAt: iso(finishedAt),
  })),
});

export const presentDeadLetters = ({ groups, lastDismissedAt, ...rest }: KnownDeadLetters): DeadLetters => ({
  items: groups.map(presentJudgedGroup),
  nextCursor: null,
  ...rest,
  lastDismissedAt: presentInstant(lastDismissedAt),
});
