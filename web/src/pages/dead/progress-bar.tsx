import { numberWords } from '../../parts/number-words';
import type { Progress } from './actions';

const WORDS = { retry: 'retried', dismiss: 'dismissed' };

/** How far it is. Each step is asked for from here, so it says what closing the page would do. */
export function ProgressBar({ progress: { verb, done, total } }: { readonly progress: Progress }) {
  return (
    <div className="rounded-panel border border-line bg-surface px-4 py-3 text-table">
      <progress
        value={done}
        max={total}
        aria-label={`Letters ${WORDS[verb]}`}
        className="block h-1.5 w-full appearance-none overflow-hidden rounded-mark bg-grid [&::-moz-progress-bar]:bg-bar [&::-webkit-progress-bar]:bg-grid [&::-webkit-progress-value]:bg-bar"
      />
      <p className="figures mt-2">
        {numberWords(done)} of {numberWords(total)} {WORDS[verb]}.{' '}
        <span className="text-ink-2">If this page is closed, the rest stays as it is.</span>
      </p>
    </div>
  );
}
