import { ALL_EVENTS, ALL_STATES, MOVES, STATES } from './lifecycle.js';

/** `docs/lifecycle.md`, from the table. A test keeps the file and the table the same. */
export function lifecycleDocument(): string {
  const states = ALL_STATES.map(
    (state) => `| \`${state}\` | ${STATES[state].meaning} | \`${PLACES[STATES[state].place]}\` |`,
  );
  const moves = ALL_EVENTS.map(
    (event) =>
      `| \`${event}\` | ${code(MOVES[event].from)} | ${code(MOVES[event].to)} | ${MOVES[event].when} |`,
  );
  const arrows = ALL_EVENTS.flatMap((event) =>
    MOVES[event].from.flatMap((from) => MOVES[event].to.map((to) => `    ${from} --> ${to}: ${event}`)),
  );
  return [
    '# The life of a message',
    '',
    '<!-- Generated from src/core/lifecycle.ts; do not edit. -->',
    '',
    'A state is also a place: a message is in exactly one of the tables `due`, `leases` and `outcomes`, and a move',
    'takes it out of one and puts it into another in one step.',
    '',
    '| state | meaning | place |',
    '| --- | --- | --- |',
    ...states,
    '',
    'A message in `due` is shown as `queued` once it was published to the broker, as `retry_scheduled` once a try',
    'has failed, else as `scheduled`.',
    '',
    '| move | from | to | when |',
    '| --- | --- | --- | --- |',
    ...moves,
    '',
    '```mermaid',
    'stateDiagram-v2',
    '    [*] --> scheduled: enqueued',
    ...arrows,
    '```',
    '',
  ].join('\n');
}

const PLACES = { due: 'due', lease: 'leases', outcome: 'outcomes' } as const;
const code = (states: readonly string[]): string => states.map((state) => `\`${state}\``).join(', ');
