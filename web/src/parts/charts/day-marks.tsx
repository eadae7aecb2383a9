interface Props {
  readonly opensAt: number;
  readonly closesAt: number;
  readonly now: number;
  readonly sent: readonly number[];
  readonly planned: readonly number[];
  readonly time: (instant: number) => string;
}

/** One mark a mail: solid what left, faint what is to come, and now, between the first opening and the last closing. */
export function DayMarks({ opensAt, closesAt, now, sent, planned, time }: Props) {
  const share = (instant: number) =>
    `${Math.max(0, Math.min(100, (100 * (instant - opensAt)) / Math.max(1, closesAt - opensAt)))}%`;
  const isNow = now >= opensAt && now <= closesAt;
  // Nearer to an end it would stand on that end's own time.
  const isBetween = Math.abs((now - opensAt) / (closesAt - opensAt) - 0.5) < 0.36;
  const next = planned[0];
  return (
    <div
      className="px-3.5 pt-3 pb-1"
      role="img"
      aria-label={`From ${time(opensAt)} to ${time(closesAt)}: ${sent.length} left, ${planned.length} to come${
        next === undefined ? '' : `, the next at ${time(next)}`
      }`}
    >
      <svg aria-hidden width="100%" height="30" className="block overflow-visible">
        <line x1="0" x2="100%" y1="15" y2="15" stroke="var(--line)" />
        {sent.map((instant, n) => (
          <line
            key={`sent ${n}`}
            {...{
              x1: share(instant),
              x2: share(instant),
              y1: 6,
              y2: 24,
              stroke: 'var(--bar)',
              strokeWidth: 2.4,
            }}
          />
        ))}
        {planned.map((instant, n) => (
          <line
            key={`planned ${n}`}
            {...{
              x1: share(instant),
              x2: share(instant),
              y1: 6,
              y2: 24,
              stroke: 'var(--bar-2)',
              strokeWidth: 1.4,
            }}
          />
        ))}
        {isNow && (
          <line x1={share(now)} x2={share(now)} y1="0" y2="30" stroke="var(--ink)" strokeWidth="1.5" />
        )}
      </svg>
      <svg aria-hidden width="100%" height="16" fontSize="11" className="figures block overflow-visible">
        <text x="0" y="12" fill="var(--ink-2)">
          {time(opensAt)}
        </text>
        {isNow && isBetween && (
          <text x={share(now)} y="12" textAnchor="middle" fontWeight="700" fill="var(--ink)">
            now
          </text>
        )}
        <text x="100%" y="12" textAnchor="end" fill="var(--ink-2)">
          {time(closesAt)}
        </text>
      </svg>
    </div>
  );
}
