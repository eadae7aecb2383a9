import type { FailureCode } from './codes.js';
import type { Route, Rule } from './route.js';

/** Whatever is asked: a text that nobody can keep, a fault of ours. */
const ANYWHERE: readonly FailureCode[] = ['invalid_input', 'internal'];
/** Before the body of a write is read, or while it is; and where its commit is lost. */
const OF_WRITES: readonly FailureCode[] = ['busy', 'too_large', 'commit_unknown'];

/** Every code that a route can answer: what follows from its rule and its method, and what it says itself. */
export function failuresOf({
  rule,
  method,
  errors = [],
}: Pick<Route, 'rule' | 'method' | 'errors'>): readonly FailureCode[] {
  const writes = method !== 'GET';
  const all = [...ANYWHERE, ...ofRule(rule, writes), ...(writes ? OF_WRITES : []), ...errors];
  return [...new Set(all)].sort();
}

function ofRule(rule: Rule, writes: boolean): readonly FailureCode[] {
  switch (rule) {
    case 'anyone':
      // A body of nobody has only so long to come.
      return writes ? ['timeout'] : [];
    case 'cron':
      return ['unauthorized', 'not_found'];
    case 'invited':
      return ['invitation_over', 'too_many_attempts', 'store_unavailable'];
    default:
      return [
        ...(['unauthorized', 'store_unavailable'] as const),
        // Also of the workspace that is asked for.
        'not_found',
        ...(rule === 'known' ? [] : (['forbidden'] as const)),
        ...(writes ? (['cross_site'] as const) : []),
      ];
  }
}
