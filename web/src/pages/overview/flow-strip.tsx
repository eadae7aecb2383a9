import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { Dashboard } from '../../api/types';
import { STATE_LABELS, StateGlyph } from '../../parts/glyphs';
import { useNow } from '../../time/clock';
import { useZone } from '../../time/zone';
import { ENDED, exitsOf, forwardOf, type FlowCell } from './flow';
import { Changing } from '../../parts/changing';
import { numberWords } from '../../parts/number-words';

/** The queue drawn as it is: the way of a mail, and beside it the exits. Each count is a door to what it counts. */
export function FlowStrip({ dashboard }: { readonly dashboard: Dashboard }) {
  const now = useNow();
  const zone = useZone();
  const forward = forwardOf(dashboard, now, zone);
  const ended = ENDED.reduce((sum, state) => sum + dashboard.states[state], 0);
  return (
    <section
      aria-label="Where mail is"
      className="flex flex-wrap rounded-panel border border-line bg-surface max-sm:block"
    >
      <ul className="flex flex-[4] max-lg:basis-full max-sm:border-b max-sm:border-line">
        {forward.map((cell, n) => (
          <Fragment key={cell.state}>
            {n > 0 && <Chevron />}
            <Cell cell={cell} />
          </Fragment>
        ))}
      </ul>
      <ul className="flex flex-[4] border-line max-lg:border-t max-sm:border-t-0 lg:border-l">
        {exitsOf(dashboard, now, zone).map((cell) => (
          <Cell key={cell.state} cell={cell} />
        ))}
        <li className="flex flex-1 flex-col justify-center gap-1.5 py-2.5 pr-3 pl-3.5 max-sm:hidden">
          {ENDED.map((state) => (
            <Link
              key={state}
              to="/queue"
              search={{ state }}
              className="flex items-center gap-2 text-note text-ink no-underline hover:underline coarse:min-h-8"
            >
              <StateGlyph state={state} size={12} />
              <span className="figures">{numberWords(dashboard.states[state])}</span>{' '}
              {STATE_LABELS[state].toLowerCase()}
            </Link>
          ))}
        </li>
        <Place
          className="sm:hidden"
          states={ENDED.join(',')}
          glyph={<StateGlyph state="skipped" size={12} />}
          label="Other"
          n={ended}
        />
      </ul>
    </section>
  );
}

const Cell = ({ cell: { state, label, short, count, evidence } }: { readonly cell: FlowCell }) => (
  <Place
    states={state}
    glyph={<StateGlyph state={state} size={13} />}
    label={
      <>
        <span className="max-sm:hidden">{label}</span>
        <span className="sm:hidden">{short}</span>
      </>
    }
    n={count}
    evidence={evidence}
  />
);

interface PlaceProps {
  /** As in the address of the queue. */
  readonly states: string;
  readonly glyph: ReactNode;
  readonly label: ReactNode;
  readonly n: number;
  readonly evidence?: string;
  readonly className?: string;
}

const Place = ({ states, glyph, label, n, evidence = '', className = '' }: PlaceProps) => (
  <li className={`min-w-0 flex-1 max-sm:border-line max-sm:not-first:border-l ${className}`}>
    <Link
      to="/queue"
      search={{ state: states }}
      className="block h-full py-2.5 pr-1 pl-3.5 text-ink no-underline hover:bg-hover max-sm:px-2.5 max-sm:py-2"
    >
      <span className="flex items-center gap-1.5 text-note font-semibold text-ink-2 max-sm:gap-1">
        {glyph}
        <span className="truncate">{label}</span>
      </span>
      <span className="figures block text-figure font-[640] max-sm:text-title">
        <Changing value={n}>{numberWords(n)}</Changing>
      </span>
      <span className="figures block min-h-4 truncate text-note text-ink-2 max-sm:hidden">{evidence}</span>
    </Link>
  </li>
);

const Chevron = () => (
  <li aria-hidden className="flex items-center text-line-strong max-sm:hidden">
    <svg viewBox="0 0 14 28" width="14" height="28">
      <path d="m2 3 10 11L2 25" fill="none" stroke="currentColor" />
    </svg>
  </li>
);
