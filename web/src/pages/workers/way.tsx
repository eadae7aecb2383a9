import { Fragment, type ReactNode } from 'react';
import type { State, WorkForce } from '../../api/types';
import { Changing } from '../../parts/changing';
import { StateGlyph } from '../../parts/glyphs';
import { counted, numberWords } from '../../parts/number-words';
import { useNow } from '../../time/clock';
import { durationWords } from '../../time/words';

interface Step {
  readonly key: string;
  readonly state: State;
  readonly label: string;
  readonly short: string;
  /** Undefined: nobody can know. */
  readonly n: number | undefined;
  readonly evidence: string;
}

/** The way of a mail over all machines: through the broker if there is one. */
export function Way({ force }: { readonly force: WorkForce }) {
  const now = useNow();
  return (
    <section aria-label="The way of a mail" className="rounded-panel border border-line bg-surface">
      <ol className="flex">
        {stepsOf(force, now).map((step, n) => (
          <Fragment key={step.key}>
            {n > 0 && <Chevron />}
            <Place step={step} passes={step.key === 'published'} />
          </Fragment>
        ))}
      </ol>
    </section>
  );
}

function stepsOf(force: WorkForce, now: number): readonly Step[] {
  const { workers, broker, due, queued, oldestDueAt, oldestQueuedAt, lastMinute } = force;
  const senders = workers.filter(({ kind, alive }) => kind === 'worker' && alive);
  const relays = workers.filter(({ kind, alive }) => kind === 'relay' && alive).length;
  const busy = senders.reduce((sum, each) => sum + each.busy, 0);
  const places = senders.reduce((sum, each) => sum + (each.places ?? 0), 0);
  const oldest = (at: string | null) => (at === null ? '' : `oldest ${durationWords(now - Date.parse(at))}`);
  const down = broker?.standing === 'down';
  return [
    step('due', 'scheduled', 'Due, in the database', 'Due', due, oldest(oldestDueAt)),
    ...(broker
      ? [
          step(
            'published',
            'queued',
            'Published',
            '',
            lastMinute.published,
            `a minute, by ${counted(relays, 'relay')}`,
          ),
          step(
            'queued',
            'queued',
            'In the broker',
            'Broker',
            down ? undefined : queued,
            down ? 'cannot be asked' : oldest(oldestQueuedAt),
          ),
        ]
      : []),
    step(
      'sending',
      'sending',
      'With a worker',
      'Sending',
      busy,
      places > 0 ? `of ${counted(places, 'place')}` : '',
    ),
    step('sent', 'sent', 'Sent', 'Last min', lastMinute.sent, 'in the last minute'),
  ];
}

const step = (
  key: string,
  state: State,
  label: string,
  short: string,
  n: number | undefined,
  evidence: string,
): Step => ({ key, state, label, short, n, evidence });

/** What passes by is no place where a mail could be: a phone has no room for it. */
const Place = ({ step: { state, label, short, n, evidence }, passes }: { step: Step; passes: boolean }) => (
  <li
    className={`min-w-0 flex-1 py-2.5 pr-1 pl-3.5 max-sm:px-2.5 max-sm:py-2 max-sm:border-line max-sm:not-first:border-l ${passes ? 'max-sm:hidden' : ''}`}
  >
    <span className="flex items-center gap-1.5 text-note font-semibold text-ink-2 max-sm:gap-1">
      <StateGlyph state={state} size={13} />
      <span className="truncate max-sm:hidden">{label}</span>
      <span className="truncate sm:hidden">{short}</span>
    </span>
    <Figure n={n} />
    <span className="figures block min-h-4 truncate text-note text-ink-2 max-sm:hidden">{evidence}</span>
  </li>
);

const Figure = ({ n }: { readonly n: number | undefined }): ReactNode => (
  <span className="figures block text-figure font-[640] max-sm:text-title">
    {n === undefined ? (
      <>
        <span aria-hidden>?</span>
        <span className="sr-only">unknown</span>
      </>
    ) : (
      <Changing value={n}>{numberWords(n)}</Changing>
    )}
  </span>
);

const Chevron = () => (
  <li aria-hidden className="flex items-center text-line-strong max-sm:hidden">
    <svg viewBox="0 0 14 28" width="14" height="28">
      <path d="m2 3 10 11L2 25" fill="none" stroke="currentColor" />
    </svg>
  </li>
);
