import { useHatch } from '../../parts/charts/hatch';
import { classNames } from '../../parts/class-names';

interface Props {
  readonly sent: number;
  readonly total: number;
  /** What is still to leave today: the notch stands where that ends. */
  readonly today: number;
  /** Nothing is to come any more. */
  readonly over: boolean;
  readonly className?: string;
}

const HEIGHT = 8;

/** Solid what left, hatched what is to come, a notch where the plan of today ends. Its number stands beside it. */
export function PlanBar({ sent, total, today, over, className }: Props) {
  const [pattern, hatch] = useHatch();
  const share = (n: number) => `${(100 * Math.min(n, total)) / Math.max(1, total)}%`;
  return (
    <svg aria-hidden height={HEIGHT + 4} className={classNames('block min-w-0', className ?? 'w-32')}>
      {pattern}
      <rect y="2" width="100%" height={HEIGHT} fill={over ? 'var(--grid)' : hatch} />
      <rect y="2" width={share(sent)} height={HEIGHT} fill={over ? 'var(--bar-2)' : 'var(--bar)'} />
      {!over && today > 0 && (
        <line
          x1={share(sent + today)}
          x2={share(sent + today)}
          y1="0"
          y2={HEIGHT + 4}
          stroke="var(--ink)"
          strokeWidth="2"
        />
      )}
    </svg>
  );
}
