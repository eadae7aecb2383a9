import { NODE_22 } from '../../scripts/services/node22.mjs';

/** Programs of others that tests run against, and what is tried with each. */
export interface Tried {
  readonly group:
    | 'Node'
    | 'Package managers and compilers'
    | 'Databases and poolers'
    | 'ORMs and drivers'
    | 'Brokers'
    | 'Proxies and operation'
    | 'Mail';
  readonly name: string;
  /** A package of package.json, which pins the version; or that of Debian's package, or the one that the tests fetch. */
  readonly version: { readonly npm: string } | { readonly debian: string } | { readonly pinned: string };
  readonly what: string;
  /** None: it was tried by hand, and no test does it again. */
  readonly files: readonly string[];
}

const POSTGRES_ORMS = ['test/orms/postgres.test.ts', 'test/orms/types.test.ts'];
const BOTH_ORMS = ['test/orms/postgres.test.ts', 'test/orms/sqlite.test.ts', 'test/orms/types.test.ts'];
const orm = (name: string, npm: string, files: readonly string[]): Tried => ({
  ...{ group: 'ORMs and drivers', name, version: { npm }, files },
  what: 'mail in the transaction of the caller: commit and rollback',
});

export const TRIED: readonly Tried[] = [
  {
    group: 'Node',
    name: 'Node 20',
    version: { pinned: '20.20.2' },
    what: 'everything; the packed package installs without a warning, brings the tested versions and sends',
    files: ['test/cli/package.test.ts'],
  },
  {
    group: 'Node',
    name: 'Node 22',
    version: { pinned: NODE_22 },
    what: 'the packed package installs without a warning, brings the tested versions and sends',
    files: ['test/cli/package.test.ts'],
  },
  {
    group: 'Package managers and compilers',
    name: 'npm',
    version: { pinned: 'of Node 20' },
    what: 'the packed package installs offline from nothing but itself, under Node 20 and 22',
    files: ['test/cli/package.test.ts'],
  },
  {
    group: 'Package managers and compilers',
    name: 'pnpm',
    version: { pinned: '10.34.9' },
    what: 'the same as npm: what is bundled is unpacked as it is; it sends',
    files: [],
  },
  {
    group: 'Package managers and compilers',
    name: 'Yarn',
    version: { pinned: '4.18.1' },
    what: 'installs from the registry, because it does not heed what is bundled, and so not in the tested versions; it sends, with `nodeLinker: node-modules` and with Plug’n’Play',
    files: [],
  },
  {
    group: 'Package managers and compilers',
    name: 'Yarn Classic',
    version: { pinned: '1.22.22' },
    what: 'the same under Node 22; under Node 20 it refuses `cookie` 2, which wants 22, unless it is told `--ignore-engines`',
    files: [],
  },
  {
    group: 'Package managers and compilers',
    name: 'TypeScript',
    version: { npm: 'typescript' },
    what: 'the types of the packed package, with `skipLibCheck: false`, for ES modules and, by `import()`, CommonJS; `moduleResolution` NodeNext, and by hand Node16 and bundler',
    files: ['test/cli/package.test.ts'],
  },
  {
    group: 'Databases and poolers',
    name: 'PostgreSQL',
    version: { debian: '15.18' },
    what: 'everything that is stored, as on SQLite; a server that crashes, drops sessions and stays away',
    files: ['test/contract/queue.test.ts', 'test/crash/outages-postgres.test.ts'],
  },
  {
    group: 'Databases and poolers',
    name: 'SQLite (@photostructure/sqlite)',
    version: { npm: '@photostructure/sqlite' },
    what: 'everything that is stored, as on PostgreSQL; a full disk, and a lock of a foreign process',
    files: ['test/contract/queue.test.ts', 'test/crash/outages-sqlite.test.ts'],
  },
  {
    group: 'Databases and poolers',
    name: 'PgBouncer',
    version: { debian: '1.18.0' },
    what: 'transaction pooling: storing, claiming, settling, LISTEN by a direct way; migrations are refused through it',
    files: ['test/engine/pooler.test.ts'],
  },
  orm('pg', 'pg', POSTGRES_ORMS),
  orm('postgres.js', 'postgres', POSTGRES_ORMS),
  orm('Drizzle (pg, postgres.js, sqlite-proxy)', 'drizzle-orm', BOTH_ORMS),
  orm('Knex', 'knex', POSTGRES_ORMS),
  orm('Kysely', 'kysely', BOTH_ORMS),
  orm('TypeORM', 'typeorm', POSTGRES_ORMS),
  orm('Prisma (adapter-pg)', '@prisma/client', POSTGRES_ORMS),
  orm('MikroORM', '@mikro-orm/core', POSTGRES_ORMS),
  {
    group: 'Brokers',
    name: 'RabbitMQ',
    version: { debian: '3.10' },
    what: 'dispatch, redelivery, lost connections, a broker that stops; jobs of clients that know nothing of us',
    files: ['test/relay/relay.test.ts', 'test/relay/strangers.test.ts', 'test/crash/relay.test.ts'],
  },
  {
    group: 'Proxies and operation',
    name: 'nginx',
    version: { debian: '1.22.1' },
    what: 'the configuration of proxy.md: TLS, log-in, writes, the live stream, large bodies, X-Forwarded-For',
    files: ['test/http/proxies.test.ts'],
  },
  {
    group: 'Proxies and operation',
    name: 'Caddy',
    version: { debian: '2.6.2' },
    what: 'the same as with nginx, with certificates that Caddy makes',
    files: ['test/http/proxies.test.ts'],
  },
  {
    group: 'Proxies and operation',
    name: 'systemd',
    version: { debian: '252' },
    what: 'the units: `systemd-analyze verify` is content, `security` finds at most 4.0; what is said by `systemd-notify`',
    files: ['test/source/deploy.test.ts', 'test/cli/systemd.test.ts'],
  },
  {
    group: 'Proxies and operation',
    name: 'systemd, as the first process',
    version: { debian: '252' },
    what: 'starts the units as they are shipped, on a read-only root, while they are restarted, hung up on and frozen (the watchdog starts them again): every mail once. By `scripts/under-systemd.sh`',
    files: [],
  },
  {
    group: 'Proxies and operation',
    name: 'promtool',
    version: { debian: '2.42' },
    what: 'the alert rules are valid and fire when they should; `check metrics` is content',
    files: ['test/source/deploy.test.ts'],
  },
  {
    group: 'Proxies and operation',
    name: 'Chromium (playwright-core)',
    version: { npm: 'playwright-core' },
    what: 'the pages, at every width, and as things move',
    files: ['test/web/any-width.test.ts', 'test/web/live.test.ts'],
  },
  {
    group: 'Mail',
    name: 'Unipile’s own client',
    version: { npm: 'unipile-node-sdk' },
    what: 'what it says for a message, an InMail, an invitation and a mail is what we say, and it takes our peer’s answers',
    files: ['test/transport/unipile.test.ts'],
  },
  {
    group: 'Mail',
    name: 'smtp-server',
    version: { npm: 'smtp-server' },
    what: 'delivery, TLS, authentication, refusals',
    files: ['test/smtp/transport.test.ts', 'test/smtp/tls-auth.test.ts'],
  },
  ...[
    ['Postfix', '3.7.11'],
    ['Exim', '4.96'],
    ['OpenSMTPD', '6.8.0p2'],
  ].map(([name = '', debian = '']): Tried => ({
    ...{ group: 'Mail', name, version: { debian } },
    what: 'delivery by DATA, as close behind each other as it allows, and by BDAT where it is offered',
    files: ['test/smtp/real-servers.test.ts'],
  })),
  {
    group: 'Mail',
    name: 'Nodemailer',
    version: { npm: 'nodemailer' },
    what: 'the same mail, made by it and by us, says the same to a parser',
    files: ['test/mime/nodemailer-oracle.test.ts'],
  },
  {
    group: 'Mail',
    name: 'mailauth',
    version: { npm: 'mailauth' },
    what: 'verifies our DKIM signatures',
    files: ['test/mime/dkim.test.ts'],
  },
];
