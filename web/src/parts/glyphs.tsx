import type { ReactNode } from 'react';
import type { AttemptOutcome, Level, State } from '../api/types';

/** Ten states, ten silhouettes: they are told apart without colour, in charts and in the terminal too. */
const STATE_SHAPES: Record<State, ReactNode> = {
  scheduled: (
    <g fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round">
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.6V8l2.4 1.6" />
    </g>
  ),
  queued: (
    <path d="M2.5 4h11M2.5 8h11M2.5 12h7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
  ),
  sending: <path d="M2 2.2 14.4 8 2 13.8 4.6 8z" fill="currentColor" />,
  sent: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path
        d="m4.9 8.2 2.2 2.2 4-4.6"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </>
  ),
  retry_scheduled: (
    <g fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round">
      <path d="M13.2 9.2A5.4 5.4 0 1 1 11.6 4" />
      <path d="M12.4 1.4v3.4H9" />
    </g>
  ),
  held: (
    <>
      <path d="M8 .8 15.2 8 8 15.2.8 8z" fill="currentColor" />
      <path d="M6.5 5.6v4.8M9.5 5.6v4.8" stroke="var(--surface)" strokeWidth="1.6" />
    </>
  ),
  dead: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="1.6" fill="currentColor" />
      <path
        d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6"
        stroke="var(--surface)"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </>
  ),
  skipped: (
    <path
      d="m3 4 4 4-4 4m6-8 4 4-4 4"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
    />
  ),
  expired: (
    <path
      d="M4 2h8M4 14h8M5 2.4c0 3 6 3.4 6 5.6s-6 2.6-6 5.6M11 2.4c0 3-6 3.4-6 5.6s6 2.6 6 5.6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
    />
  ),
  cancelled: (
    <g fill="none" stroke="currentColor" strokeWidth="1.6">
      <circle cx="8" cy="8" r="6" />
      <path d="m4 12 8-8" />
    </g>
  ),
};

/** A failed try is not a dead message, and never borrows its square. */
const ATTEMPT_SHAPES: Record<AttemptOutcome, ReactNode> = {
  success: STATE_SHAPES.sent,
  failed: (
    <g fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round">
      <circle cx="8" cy="8" r="6" />
      <path d="m6 6 4 4m0-4-4 4" />
    </g>
  ),
  rate_limited: (
    <g fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round">
      <path d="M2.6 12a6.4 6.4 0 1 1 10.8 0" />
      <path d="m8 9 3-3.4" />
    </g>
  ),
  in_doubt: STATE_SHAPES.held,
};

const LEVEL_SHAPES: Record<Level, ReactNode> = {
  fine: STATE_SHAPES.sent,
  look: (
    <g fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round">
      <circle cx="8" cy="8" r="6.6" />
      <path d="M6.4 5.6v4.8M9.6 5.6v4.8" />
    </g>
  ),
  act: STATE_SHAPES.dead,
};

export const STATE_LABELS: Record<State, string> = {
  scheduled: 'Scheduled',
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  retry_scheduled: 'Retry later',
  held: 'Held',
  dead: 'Dead',
  skipped: 'Skipped',
  expired: 'Expired',
  cancelled: 'Cancelled',
};

const STATE_COLOURS: Record<State, string> = {
  scheduled: 'text-scheduled',
  queued: 'text-queued',
  sending: 'text-sending',
  sent: 'text-sent',
  retry_scheduled: 'text-retry',
  held: 'text-held',
  dead: 'text-dead',
  skipped: 'text-skipped',
  expired: 'text-expired',
  cancelled: 'text-cancelled',
};
const ATTEMPT_COLOURS: Record<AttemptOutcome, string> = {
  success: 'text-sent',
  failed: 'text-dead',
  rate_limited: 'text-retry',
  in_doubt: 'text-held',
};
const LEVEL_COLOURS: Record<Level, string> = { fine: 'text-sent', look: 'text-retry', act: 'text-dead' };

interface Size {
  readonly size?: number;
}

const draw = (shape: ReactNode, colour: string, size: number) => (
  <svg aria-hidden viewBox="0 0 16 16" width={size} height={size} className={`shrink-0 ${colour}`}>
    {shape}
  </svg>
);

export const StateGlyph = ({ state, size = 14 }: Size & { readonly state: State }) =>
  draw(STATE_SHAPES[state], STATE_COLOURS[state], size);

export const AttemptGlyph = ({ outcome, size = 14 }: Size & { readonly outcome: AttemptOutcome }) =>
  draw(ATTEMPT_SHAPES[outcome], ATTEMPT_COLOURS[outcome], size);

export const LevelGlyph = ({ level, size = 26 }: Size & { readonly level: Level }) =>
  draw(LEVEL_SHAPES[level], LEVEL_COLOURS[level], size);

/** Glyph and word. Only what needs a person has a tinted ground. */
export function StateChip({ state }: { readonly state: State }) {
  const ground =
    state === 'held'
      ? 'rounded-mark bg-tint-held px-1.5 -ml-1.5 text-held'
      : state === 'dead'
        ? 'rounded-mark bg-tint-dead px-1.5 -ml-1.5 text-dead'
        : '';
  return (
    <span className={`inline-flex items-center gap-1.5 py-px font-semibold whitespace-nowrap ${ground}`}>
      <StateGlyph state={state} />
      {STATE_LABELS[state]}
    </span>
  );
}
