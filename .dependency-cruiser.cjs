/**
 * Which way imports may point. The tree shows the way of a message; an arrow against it is a design fault.
 *
 *   cli, http → pillarbox → outbox → engine → store, transport → mime → core
 *   cli, http → catcher → store → core
 *   cli, http → demo → pillarbox, catcher
 */
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: `^src/${from}/` },
  to: { path: '^src/', pathNot: [`^src/${from}/`, ...allowed.map((path) => `^src/${path}`)] },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    only('core-is-pure', 'core', ['errors\\.ts'], 'What decides knows nothing of what does.'),
    {
      name: 'core-does-no-io',
      severity: 'error',
      comment: 'No sockets, files, clocks or databases beside a decision.',
      from: { path: '^src/core/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: ['^(node:)?crypto$', '^(node:)?url$'] },
    },
    {
      name: 'core-needs-no-library',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev'] },
    },
    {
      name: 'vendor-is-bundled',
      severity: 'error',
      comment: 'These come as hundreds of files: only as the one that the build makes of them (decision 8).',
      from: { path: '^src/', pathNot: ['^src/vendor/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/(kysely|typebox)/' },
    },
    only('mime-composes', 'mime', ['core/', 'errors\\.ts'], 'Bytes of a mail, and nothing else.'),
    only(
      'transport-sends',
      'transport',
      ['core/', 'mime/', 'errors\\.ts', 'log\\.ts'],
      'A transport does not know the queue.',
    ),
    only(
      'store-keeps',
      'store',
      ['core/', 'vendor/', 'errors\\.ts', 'log\\.ts'],
      'The database does not know who asks.',
    ),
    only(
      'engine-delivers',
      'engine',
      ['core/', 'store/', 'transport/', 'errors\\.ts', 'log\\.ts'],
      'The engine does not know its front doors.',
    ),
    only(
      'outbox-accepts',
      'outbox',
      [
        'core/',
        'store/',
        'engine/',
        'transport/transport\\.ts',
        'vendor/',
        'errors\\.ts',
        'log\\.ts',
        'shape-fault\\.ts',
      ],
      'A front door does not know another.',
    ),
    only(
      'access-admits',
      'access',
      ['core/', 'store/', 'errors\\.ts', 'log\\.ts'],
      'Who may ask does not depend on what is asked.',
    ),
    only(
      'catcher-stands-apart',
      'catcher',
      ['core/', 'store/', 'errors\\.ts', 'log\\.ts'],
      'The far side in development: it must not know how our own side sends.',
    ),
    only(
      'demo-uses-the-doors',
      'demo',
      [
        'core/',
        'access/',
        'catcher/',
        'store/(?:open|store|script)\\.ts',
        'store/scripts/',
        'outbox/mail-input\\.ts',
        '[^/]+\\.ts',
      ],
      'What it shows has gone the way of every other mail.',
    ),
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
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
