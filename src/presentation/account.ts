import type { AccountView } from '../accounts/view.js';
import { ACTIONS } from '../core/message.js';
import { LIMIT_PERIODS } from '../core/sending.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { SendFault } from './message.js';
import { flag, instant, list, nullable, optional, text, whole, word } from './shape.js';

const intervals = optional(list(list(text('09:00')), 'From when to when, in pairs.'));
const DayHours = Type.Object(
  { 1: intervals, 2: intervals, 3: intervals, 4: intervals, 5: intervals, 6: intervals, 7: intervals },
  {
    title: 'DayHours',
    description:
      'By weekday; a day that is missing is shut. Where given, sendingDays, startHour and endHour do not count.',
    examples: [
      {
        1: [
          ['09:00', '12:30'],
          ['13:30', '18:00'],
        ],
      },
    ],
  },
);
export const windowFields = {
  sendingDays: list(whole(1), 'Monday is 1.'),
  startHour: whole(9),
  endHour: whole(18),
  timezone: text('Europe/Berlin'),
  hours: optional(DayHours),
};
const SendingWindow = Type.Object(windowFields, { title: 'SendingWindow' });
export const Spacing = Type.Object({ minSeconds: whole(30), maxSeconds: whole(90) });

const PeriodLimit = Type.Object(
  {
    action: word(ACTIONS),
    period: word(LIMIT_PERIODS),
    max: whole(100),
  },
  { title: 'PeriodLimit' },
);

const detail = (example: string) => optional(text(example));

const ShownTransport = Type.Object(
  {
    kind: text('smtp'),
    url: detail('smtps://bookings:********@mail.example.org'),
    ca: optional(Type.String()),
    clientId: optional(Type.String()),
    clientSecret: optional(Type.String()),
    refreshToken: optional(Type.String()),
    baseUrl: optional(Type.String()),
    apiKey: optional(Type.String()),
    accountId: optional(Type.String()),
    directory: optional(Type.String()),
  },
  { description: 'How it sends. Every secret is a mask; given back, it means the one that is stored.' },
);

const Dkim = Type.Object(
  {
    domain: text('example.org'),
    selector: text('pillarbox'),
    algorithm: word(['rsa-sha256', 'ed25519-sha256']),
    record: Type.Object(
      { name: text('pillarbox._domainkey.example.org'), value: text('v=DKIM1; k=rsa; p=MIIBIjANBg…') },
      { description: 'The TXT record to publish.' },
    ),
  },
  { title: 'Dkim' },
);

export const Account = Type.Object(
  {
    id: text('acc_1'),
    name: text('Bookings'),
    type: word(['email', 'linkedin']),
    emailAddress: nullable(Type.String(), undefined, 'bookings@example.org'),
    displayName: nullable(Type.String(), undefined, 'Harbour Rooms'),
    isDefault: flag(false, 'Made and kept by the process, from its own settings.'),
    transport: ShownTransport,
    dkim: nullable(Dkim, 'How its mail is signed; null: it is not, at least not here.'),
    dailyLimitEmails: whole(20),
    dailyLimitMessages: whole(50),
    dailyLimitConnections: whole(20),
    dailyLimitInmails: whole(10),
    limits: list(
      PeriodLimit,
      'By the local hour, day, week and month, beside the daily limits: all that apply hold.',
    ),
    window: nullable(SendingWindow, 'Null: that of the workspace; so with the next three.'),
    rampUp: nullable(Type.Object({ enabled: Type.Boolean(), start: Type.Integer(), step: Type.Integer() })),
    spacing: nullable(Spacing),
    holidays: nullable(list(Type.String())),
    maxConnections: whole(5),
    mailsInFlight: whole(
      1,
      'Mails without an answer on each connection, where the server offers CHUNKING: all are in doubt if the line breaks. Guarded mail goes one at a time.',
    ),
    status: word(['active', 'paused']),
    pauseReason: nullable(Type.String()),
    cooldownUntil: nullable(instant()),
    cooldownReason: nullable(Type.String()),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Account' },
);
export type Account = Static<typeof Account>;

export const Verification = Type.Object(
  {
    ok: flag(true),
    error: nullable(SendFault, 'What a send would meet now; null if nothing stands in its way.'),
    records: list(
      Type.Object({
        kind: word(['spf', 'dkim', 'dmarc']),
        level: word(['fine', 'look', 'act']),
        sentence: text('example.org says who sends for it: v=spf1 mx -all'),
      }),
      'What receivers find in DNS about its address; empty where nobody would look.',
    ),
  },
  { title: 'Verification' },
);

export const presentAccount = (account: AccountView): Account => ({
  ...account,
  cooldownUntil: presentInstant(account.cooldownUntil),
  createdAt: iso(account.createdAt),
  updatedAt: iso(account.updatedAt),
});
