import type { PersonInCampaign } from '../../api/types';
import { StateGlyph, STATE_LABELS } from '../../parts/glyphs';

/** One glyph a step, and the same in words. */
export const StepTrack = ({ steps }: Pick<PersonInCampaign, 'steps'>) =>
  steps.length === 0 ? (
    <span className="text-ink-2">none yet</span>
  ) : (
    <ol className="flex flex-wrap items-center gap-1">
      {steps.map(({ order, state }, n) => (
        <li key={`${order} ${n}`} className="flex items-center gap-1">
          {n > 0 && <span aria-hidden className="h-px w-2.5 bg-line-strong" />}
          <StateGlyph state={state} />
          <span className="sr-only">
            step {order} {STATE_LABELS[state].toLowerCase()}
          </span>
        </li>
      ))}
    </ol>
  );
