import { classNames } from '../class-names';
import { useHatch } from './hatch';

interface Props {
  readonly used: number;
  readonly planned: number;
  readonly max: number;
  /** Nothing more fits: in the colour of what waits. */
  readonly full?: boolean;
  readonly className?: string;
}

const HEIGHT = 12;

/** Solid what is used, hatched what is planned, the end is the limit. Its number stands beside it, so it says nothing itself. */
export function UseBar({ used, planned, max, full = used >= max, className }: Props) {
  const [pattern, hatch] = useHatch();
  const over = used + planned > max;
  const whole = Math.max(1, max, used + planned);
  const share = (n: number) => `${(100 * n) / whole}%`;
  const within = Math.max(0, Math.min(planned, max - used));
  return (
    <svg aria-hidden height={HEIGHT} className={classNames('block min-w-0', className ?? 'w-28')}>
      {pattern}
      <rect width="100%" height={HEIGHT} rx="1" fill="var(--grid)" />
      <rect
        width={share(used)}
        height={HEIGHT}
        rx="1"
        fill={full && max > 0 ? 'var(--retry)' : 'var(--bar)'}
      />
      <rect x={share(used)} width={share(within)} height={HEIGHT} fill={hatch} />
      {over && (
        <rect
          x={share(used + within)}
          width={share(used + planned - used - within)}
          height={HEIGHT}
          fill="var(--retry)"
        />
      )}
    </svg>
  );
}
