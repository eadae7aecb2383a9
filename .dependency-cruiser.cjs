const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/**
 * The rooms of `src/`, and which of the others each may know. The tree shows the way of a message; an arrow against it
 * is a design fault. A room that is not here does not pass, and at the root lies only what others import by name.
 */
const ENTRY_POINTS = {
  'index.ts': [
    'library',
    'core',
    'log',
    'store',
    'transport',
    'engine',
    'outbox',
    'guard',
    'messages',
    'sequences',
    'templates',
    'campaigns',
    'simulate',
    'suppressions',
    'contacts',
    'inbound',
  ],
  'testing.ts': ['engine', 'transport'],
};
const ROOMS = {
  // What decides, and what everybody may lean on.
  core: [],
  log: [],
  vendor: [],
  shapes: ['core', 'vendor'],
  // What does: bytes, servers, the database, one delivery engine.
  mime: ['core'],
  store: ['core', 'vendor', 'log'],
  transport: ['core', 'mime'],
  engine: ['core', 'store', 'transport', 'log'],
  // What is rendered, in a thread that may be ended at any moment.
  templates: ['core', 'store', 'links', 'shapes', 'vendor'],
  // The broker, if there is one: what is passed on to it, and what it delivers.
  broker: ['core', 'log', 'engine/deliveries\\.ts'],
  relay: ['core', 'log', 'store', 'broker', 'engine/heartbeat\\.ts'],
  // The front doors. None knows another.
  outbox: ['core', 'store', 'engine', 'transport/transport\\.ts', 'shapes', 'vendor'],
  // What campaigns say, and where the links of mails lead.
  sequences: ['core', 'store', 'templates', 'links', 'shapes', 'vendor'],
  links: ['core', 'store'],
  // Who is written to, what, and when.
  campaigns: [
    'core',
    'store',
    'engine/contents\\.ts',
    'sequences',
    'links',
    'templates',
    'log',
    'shapes',
    'vendor',
  ],
  // What happened, and who is told of it.
  notifications: [
    ...['core', 'store', 'engine/contents\\.ts', 'templates', 'links', 'log', 'shapes', 'vendor'],
    'contacts/decode\\.ts',
  ],
  // What people look at and decide about.
  access: ['core', 'store', 'log'],
  accounts: ['core', 'store', 'access', 'mime', 'transport', 'shapes', 'vendor'],
  messages: ['core', 'store', 'mime'],
  overview: ['core', 'store', 'engine', 'relay/observer\\.ts'],
  privacy: ['core', 'store', 'access', 'log'],
  settings: ['core', 'store', 'shapes', 'vendor'],
  guard: ['core', 'store', 'settings'],
  suppressions: ['core', 'store'],
  contacts: ['core', 'store', 'log', 'shapes', 'vendor'],
  inbound: ['core', 'store'],
  // Campaigns with time running ahead: the planner, the guard and the engine on a store of their own.
  simulate: ['core', 'log', 'store', 'engine', 'transport/transport\\.ts', 'campaigns', 'links', 'templates'],
  // All of it as one object.
  library: [
    ...['core', 'log', 'store', 'transport', 'engine', 'outbox', 'broker', 'relay'],
    ...['access', 'accounts', 'contacts', 'guard', 'messages', 'privacy', 'settings', 'suppressions'],
    ...['templates', 'sequences', 'links', 'campaigns', 'simulate', 'inbound', 'notifications'],
  ],
  // The far side in development: it must not know how our own side sends.
  catcher: ['core', 'store', 'log'],
  // What it shows has gone the way of every other mail.
  demo: ['core', 'log', 'store', 'access', 'accounts', 'catcher', 'library', 'outbox/mail-input\\.ts'],
  // What people and programs see.
  presentation: [
    ...[
      'core',
      'store',
      'access',
      'accounts',
      'catcher',
      'contacts',
      'inbound',
      'suppressions',
      'guard',
      'messages',
      'overview',
      'privacy',
      'sequences',
      'templates',
      'campaigns',
      'notifications',
      'vendor',
    ],
  ],
  http: [
    ...['core', 'log', 'vendor', 'shapes', 'store', 'outbox', 'access', 'accounts', 'messages', 'overview'],
    ...[
      'contacts',
      'inbound',
      'links',
      'settings',
      'sequences',
      'templates',
      'campaigns',
      'notifications',
      'catcher',
      'demo',
      'library',
      'presentation',
    ],
  ],
  service: ['core', 'log', 'store', 'transport', 'access', 'overview', 'catcher', 'demo', 'library', 'http'],
  cli: [
    ...[
      'core',
      'log',
      'store',
      'outbox',
      'access',
      'accounts',
      'contacts',
      'overview',
      'privacy',
      'notifications',
    ],
    ...[
      'templates',
      'catcher',
      'demo',
      'library',
      'presentation',
      'http',
      'service',
      'simulate',
      'campaigns',
    ],
    'broker/inspect\\.ts',
  ],
};

const rooms = readdirSync(join(__dirname, 'src'), { withFileTypes: true });
for (const { name } of rooms) {
  if (!(name in ROOMS) && !(name in ENTRY_POINTS))
    throw new Error(`src/${name} is no room: give it a line in .dependency-cruiser.cjs and in the code map`);
}

const pathOf = (name) => `^src/${name}${name.includes('.') ? '' : '/'}`;

const knowsItsNeighbours = ([name, known]) => ({
  name: `${name}-knows-its-neighbours`,
  severity: 'error',
  from: { path: pathOf(name) },
  to: { path: '^src/', pathNot: [name, ...known].map(pathOf) },
});

const IN_THE_PRODUCT = { path: '^src/', pathNot: '\\.test\\.ts$' };
const IN_CORE = { path: '^src/core/', pathNot: '\\.test\\.ts$' };

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...Object.entries({ ...ROOMS, ...ENTRY_POINTS }).map(knowsItsNeighbours),
    {
      name: 'core-does-no-io',
      severity: 'error',
      comment: 'No sockets, files, clocks or databases beside a decision.',
      from: IN_CORE,
      to: { dependencyTypes: ['core'], pathNot: ['^(node:)?crypto$', '^(node:)?url$'] },
    },
    {
      name: 'core-needs-no-library',
      severity: 'error',
      from: IN_CORE,
      to: { dependencyTypes: ['npm', 'npm-dev'] },
    },
    {
      name: 'the-thread-that-renders-holds-nothing',
      severity: 'error',
      comment: 'It may be ended at any moment: nothing but memory, and no file or database.',
      from: { path: '^src/templates/render-thread\\.ts$' },
      to: { path: '^src/(?!templates/|core/)', reachable: true },
    },
    {
      name: 'sql-stands-in-the-store',
      severity: 'error',
      comment: 'Whoever else needs a row asks a script for it.',
      from: { ...IN_THE_PRODUCT, pathNot: ['^src/(store|vendor)/', '\\.test\\.ts$'] },
      to: { path: ['^src/vendor/kysely\\.ts$', '^src/store/(postgres|sqlite|tables|builder|among)'] },
    },
    {
      name: 'drivers-are-the-store-s',
      severity: 'error',
      comment: 'Nobody else speaks to a database.',
      from: { ...IN_THE_PRODUCT, pathNot: ['^src/store/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/(pg|@photostructure/sqlite)/' },
    },
    {
      name: 'amqp-is-the-broker-s',
      severity: 'error',
      comment: 'Nobody else speaks to a broker.',
      from: { ...IN_THE_PRODUCT, pathNot: ['^src/broker/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/amqplib/' },
    },
    {
      name: 'vendor-is-bundled',
      severity: 'error',
      comment: 'These come as hundreds of files: only as the one that the build makes of them (decision 8).',
      from: { ...IN_THE_PRODUCT, pathNot: ['^src/vendor/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/(kysely|typebox)/' },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: IN_THE_PRODUCT,
      to: { dependencyTypes: ['npm-dev'] },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
