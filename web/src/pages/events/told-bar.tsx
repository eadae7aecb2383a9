import type { Event, State } from '../../api/types';
import { useHatch } from '../../parts/charts/hatch';

/** What waits, what was told, what was left out and what died, in this order. */
const PARTS: readonly (readonly [readonly State[], string])[] = [
  [['sent'], 'var(--bar)'],
  [['sending'], 'var(--sending)'],
  [['scheduled', 'queued'], 'hatch'],
  [['retry_scheduled'], 'var(--retry)'],
  [['held'], 'var(--held)'],
  [['skipped', 'expired', 'cancelled'], 'var(--bar-2)'],
  [['dead'], 'var(--dead)'],
];

/** One bar of all whom an event matches; grey: not yet reached. Its numbers stand beside it, so it says nothing itself. */
export function ToldBar({
  event: { counts, matched },
  height,
  className,
}: {
  readonly event: Pick<Event, 'counts' | 'matched'>;
  readonly height: number;
  readonly className: string;
}) {
  const [pattern, hatch] = useHatch();
  const known = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const whole = Math.max(1, matched, known);
  const share = (n: number) => `${(100 * n) / whole}%`;
  const numbers = PARTS.map(([states]) => states.reduce((sum, state) => sum + counts[state], 0));
  return (
    <svg aria-hidden height={height} className={`block ${className}`}>
      {pattern}
      <rect width="100%" height={height} rx="1" fill="var(--grid)" />
      {PARTS.map(([, fill], n) => {
        const own = numbers[n] ?? 0;
        const before = numbers.slice(0, n).reduce((sum, each) => sum + each, 0);
        return (
          own > 0 && (
            <rect
              key={fill}
              x={share(before)}
              width={share(own)}
              height={height}
              fill={fill === 'hatch' ? hatch : fill}
            />
          )
        );
      })}
    </svg>
  );
}
