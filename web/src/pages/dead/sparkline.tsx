import { numberWords } from '../../parts/number-words';

const [WIDTH, HEIGHT, GAP] = [92, 24, 2];

/** How many died on each of the last days, today at the right. The words say the same. */
export function Sparkline({ days }: { readonly days: readonly number[] }) {
  const most = Math.max(1, ...days);
  const step = WIDTH / Math.max(1, days.length);
  const total = days.reduce((sum, n) => sum + n, 0);
  return (
    <svg
      role="img"
      aria-label={`${numberWords(total)} died in ${String(days.length)} days, ${numberWords(days.at(-1) ?? 0)} of them today`}
      viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
      width={WIDTH}
      height={HEIGHT}
      className="block text-dead"
    >
      <path d={`M0 ${String(HEIGHT - 0.5)}H${String(WIDTH)}`} stroke="var(--line)" />
      {days.map((n, day) => {
        // One in a thousand is still there.
        const height = n === 0 ? 0 : Math.max(2, (n / most) * (HEIGHT - 1));
        return (
          <rect
            key={day}
            x={day * step + GAP / 2}
            y={HEIGHT - height}
            width={step - GAP}
            height={height}
            fill="currentColor"
          />
        );
      })}
    </svg>
  );
}
