import { useState } from 'react';
import { clockOf, DAY_MINUTES, edgeMoved, intervalWords, joined, STEP_MINUTES, type Interval } from './week';

interface Props {
  readonly day: string;
  readonly intervals: readonly Interval[];
  /** As it is stored, drawn as an outline where it differs. */
  readonly saved: readonly Interval[] | undefined;
  /** Undefined: there is no such line. */
  readonly minute: number | undefined;
  /** Undefined: it is only looked at. */
  readonly onChange: ((intervals: readonly Interval[]) => void) | undefined;
}

const HOURS = [3, 6, 9, 12, 15, 18, 21];
const share = (minute: number): string => `${(100 * minute) / DAY_MINUTES}%`;

/** A day of 24 hours with its intervals, whose edges are dragged, or moved by keys. */
export function DayBar({ day, intervals, saved, minute, onChange }: Props) {
  const [dragged, setDragged] = useState(false);
  const differs = saved !== undefined && JSON.stringify(saved) !== JSON.stringify(joined(intervals));
  return (
    <div className="relative h-7 min-w-0 flex-1 basis-48 touch-pan-y">
      <svg aria-hidden width="100%" height="28" className="block overflow-visible">
        <rect y="2" width="100%" height="24" rx="3" fill="var(--sunken)" />
        {HOURS.map((hour) => (
          <line
            key={hour}
            {...{ x1: share(hour * 60), x2: share(hour * 60), y1: 2, y2: 26, stroke: 'var(--line)' }}
          />
        ))}
        {intervals.map(([from, to], place) => (
          <rect
            key={place}
            {...{ x: share(from), width: share(to - from), y: 3, height: 22, rx: 2, fill: 'var(--heat-2)' }}
          />
        ))}
        {differs &&
          saved.map(([from, to]) => (
            <rect
              key={from}
              {...{ x: share(from), width: share(to - from), y: 2.5, height: 23, rx: 2, fill: 'none' }}
              {...{ stroke: 'var(--retry)', strokeDasharray: '3 2' }}
            />
          ))}
        {intervals.length === 0 && (
          <text x="8" y="18" fontSize="12" fill="var(--ink-2)">
            no sending
          </text>
        )}
        {minute !== undefined && (
          <line
            {...{ x1: share(minute), x2: share(minute), y1: 0, y2: 28 }}
            {...{ stroke: 'var(--ink-2)', strokeDasharray: '2 2' }}
          />
        )}
      </svg>
      {onChange &&
        intervals.flatMap((interval, place) =>
          ([0, 1] as const).map((edge) => (
            <div
              key={`${place} ${edge}`}
              role="slider"
              tabIndex={0}
              aria-label={`${day}, ${intervalWords(interval)}, ${edge === 0 ? 'begins' : 'ends'}`}
              aria-valuemin={0}
              aria-valuemax={DAY_MINUTES}
              aria-valuenow={interval[edge]}
              aria-valuetext={clockOf(interval[edge])}
              style={{ left: share(interval[edge]) }}
              className="group absolute top-0 -ml-3 grid h-7 w-6 cursor-ew-resize touch-none place-items-center outline-offset-0"
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(true);
              }}
              onPointerMove={(event) => {
                if (dragged && event.currentTarget.hasPointerCapture(event.pointerId))
                  onChange(edgeMoved(intervals, place, edge, minuteAt(event)));
              }}
              onLostPointerCapture={() => {
                setDragged(false);
                onChange(joined(intervals));
              }}
              onBlur={() => {
                if (!dragged && joined(intervals).length < intervals.length) onChange(joined(intervals));
              }}
              onKeyDown={(event) => {
                const to = keyed(event.key, interval[edge], event.shiftKey);
                if (to === undefined) return;
                event.preventDefault();
                onChange(edgeMoved(intervals, place, edge, to));
              }}
            >
              <span className="h-6 w-1.5 rounded-mark bg-ink opacity-0 group-hover:opacity-100 group-focus:opacity-100 coarse:opacity-100" />
            </div>
          )),
        )}
    </div>
  );
}

/** Where on the day's bar the pointer is. */
function minuteAt({ clientX, currentTarget }: React.PointerEvent): number {
  const { left = 0, width = 1 } = currentTarget.parentElement?.getBoundingClientRect() ?? {};
  return ((clientX - left) / width) * DAY_MINUTES;
}

/** A quarter of an hour, an hour with Shift, or as far as it goes. */
function keyed(key: string, minute: number, shift: boolean): number | undefined {
  const step = shift ? 60 : STEP_MINUTES;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return minute - step;
  if (key === 'ArrowRight' || key === 'ArrowUp') return minute + step;
  if (key === 'Home') return 0;
  return key === 'End' ? DAY_MINUTES : undefined;
}
