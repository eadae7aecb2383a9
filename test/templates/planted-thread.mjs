// The program that renders, with filters that pass all limits of the language: one spins, one eats memory, one
// dies, one takes its time.
import { ENGINES } from '#pillarbox/templates/language';

const planted = {
  spin: () => {
    for (;;);
  },
  hog: (value) => {
    const kept = [];
    for (;;) kept.push(new Array(100_000).fill(value));
  },
  die: () => process.exit(3),
  nap: (value, ms) => {
    for (const until = performance.now() + ms; performance.now() < until;);
    return value;
  },
};
for (const engine of new Set(Object.values(ENGINES))) {
  for (const [name, filter] of Object.entries(planted)) engine.registerFilter(name, filter);
}
await import('#pillarbox/templates/render-thread');
