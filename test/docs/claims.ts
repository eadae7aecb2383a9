/** What README.md promises, and the tests that show it: by file, and by what their title begins with or holds. */
export interface Claim {
  /** As it stands there. */
  readonly says: string;
  readonly shown: readonly (readonly [file: string, title: string])[];
}

const crash = (name: string, title: string) => [`test/crash/${name}.test.ts`, title] as const;
const contract = (name: string, title: string) => [`test/contract/${name}.test.ts`, title] as const;
const demo = (name: string, title: string) => [`test/demo/${name}.test.ts`, title] as const;

export const CLAIMS: readonly Claim[] = [
  {
    says: '**Mail goes in once and leaves once**',
    shown: [
      crash('random-kills', 'workers killed and stopped at random'),
      crash('mutants', 'a planted bug is found'),
    ],
  },
  {
    says: 'on SQLite for one machine, on PostgreSQL for many, and through RabbitMQ where senders are many',
    shown: [
      contract('queue', 'the same key from many callers at once is one message'),
      crash('relay', 'whatever happens to them and to a broker'),
    ],
  },
  {
    says: 'prints where, and how to log in',
    shown: [['test/cli/serve.test.ts', 'tells where it is and how to get in, sends into the catcher']],
  },
  {
    says: 'Nothing of what you see there leaves your machine',
    shown: [
      demo('loading', 'points nowhere but to this machine'),
      demo('service', 'lets nobody set up an account'),
    ],
  },
  {
    says: 'Its past was sent by the real engine with the clock set back',
    shown: [demo('loading', 'happened when it says, none of it in the future')],
  },
  {
    says: '`PILLARBOX_DEMO=0 npm start` starts without it',
    shown: [demo('service', 'a service without demo data')],
  },
  {
    says: 'The numbers lead to the mails behind them',
    shown: [['test/web/addresses.test.ts', 'the numbers of the overview lead to the mails that they count']],
  },
  {
    says: '_Dead letters_ are a few causes, not hundreds of rows',
    shown: [demo('loading', 'has dead letters of several causes and ages')],
  },
  {
    says: '_Held_ is where the line broke after the last byte',
    shown: [['test/engine/doubt.test.ts', 'hold: waits for a person, and is listed with the reason']],
  },
  {
    says: '_Quiet weeks_ runs',
    shown: [demo('service', 'answers every page with something')],
  },
  {
    says: 'half a minute after the start the next one is told before your eyes',
    shown: [demo('notices', 'nothing is told between the times, and at its time once')],
  },
  {
    says: '_Subscriptions_ has the guests in every state',
    shown: [demo('service', 'has rooms that guests wait for')],
  },
  {
    says: '_Templates_ what they read, in two languages',
    shown: [demo('notices', 'what a guest who reads %s is told')],
  },
  {
    says: 'see what would move before you save',
    shown: [['test/web/sending.test.ts', 'what a change would move is counted before it is saved']],
  },
  {
    says: 'what the recipient would have seen, with its calendar part',
    shown: [demo('service', 'answers every page with something')],
  },
  {
    says: 'Resolves within 2 s, also when the mail server is down: a worker then goes on',
    shown: [['test/engine/inline.test.ts', 'is on its way when the budget ends']],
  },
  {
    says: 'the same key never sends twice',
    shown: [
      ['test/engine/inline.test.ts', 'with a known key is not sent again'],
      contract('outbox', 'a hundred callers with the same key make one mail'),
    ],
  },
  {
    says: 'hands back what has not left, waits for what is leaving',
    shown: [
      crash('gate', 'belongs to a worker that stops'),
      crash('rolling-restarts', 'orderly restarts under load'),
    ],
  },
  {
    says: 'the mail exists exactly when your booking does',
    shown: [contract('outbox', 'the mail exists exactly when the booking does')],
  },
  {
    says: 'what is in no open transaction is refused',
    shown: [contract('no-transaction', 'is refused, and nothing is stored')],
  },
  ...['pg', 'Drizzle on PostgreSQL', 'Knex', 'Kysely', 'postgres.js', 'TypeORM', 'Prisma', 'MikroORM'].map(
    (name) => ({
      says: `| ${name} `,
      shown: [['test/orms/postgres.test.ts', 'mail and event exist exactly when the booking does'] as const],
    }),
  ),
  {
    says: 'So a handle of another one is refused',
    shown: [['test/orms/sqlite.test.ts', 'of another SQLite library in this process']],
  },
  { says: 'npx pillarbox', shown: [['test/docs/names.test.ts', 'every command that a page names is there']] },
  {
    says: '**Nothing accepted is lost.**',
    shown: [
      crash('fault-points', 'nothing is lost or doubled'),
      crash('outages-sqlite', 'has no room left, nothing is promised'),
    ],
  },
  {
    says: 'only if it can’t look, it says `commit_unknown`'.replace('’', "'"),
    shown: [['test/engine/unknown-commits.test.ts', 'nobody is told that nothing was stored']],
  },
  { says: 'Kill a worker with `-9` at any point', shown: [crash('fault-points', 'at any step')] },
  {
    says: '**Nothing leaves twice without being declared.**',
    shown: [
      crash('stalls', 'may send a second copy only where the policy says so'),
      crash('gate', 'is followed by doubt'),
    ],
  },
  {
    says: '**held** for a person (`hold`), sent once more with the same Message-ID and Date (`resend`, the outbox’s default'.replace(
      '’',
      "'",
    ),
    shown: [
      ['test/engine/doubt.test.ts', 'hold: waits for a person'],
      ['test/engine/doubt.test.ts', 'resend: goes again after the wait of the policy, once'],
      ['test/engine/doubt.test.ts', 'assume_sent: is taken for sent, and the history keeps the doubt'],
    ],
  },
  {
    says: '**A cancellation that was answered "yes" never leaves**',
    shown: [
      crash('gate', 'is not too late to cancel'),
      contract('people', 'every cancellation that was answered "yes" stays behind'),
      contract('gate-waits', 'sees a suppression that was answered meanwhile'),
    ],
  },
  {
    says: '**Whoever is suppressed gets nothing**',
    shown: [
      contract('suppressions', 'knows an address in ten spellings'),
      contract('suppressions', 'of a copy is told apart from that of the recipient'),
    ],
  },
  {
    says: '**Guarded mail leaves only when its account may send**',
    shown: [
      ['test/guard-race/faults.test.ts', 'never send over, outside or too close'],
      contract('guard', 'spacing is kept'),
    ],
  },
  {
    says: '**Errors mean what they mean.**',
    shown: [
      ['src/core/classify/smtp.test.ts', 'a full mailbox is a soft bounce'],
      ['test/cli/work.test.ts', 'a password that is refused pauses the account'],
      ['src/core/classify/smtp.test.ts', '5.7.x never suppresses, whatever the text says'],
    ],
  },
  {
    says: '**Not promised:**',
    shown: [crash('stalls', 'between gate and dot sends late, and its own reply resolves the doubt')],
  },
  {
    says: 'The default account of a workspace sends through the server that the sending process was given',
    shown: [
      ['test/http/account-secrets.test.ts', 'shows where the process sends, and nothing of how it logs in'],
      ['test/engine/doubt.test.ts', 'at a provider that can be asked'],
    ],
  },
];
