import { X } from 'lucide-react';
import { useState } from 'react';
import { useFromNow } from '../../time/clock';
import { minuteIn } from '../../time/until';
import { DayBar } from './day-bar';
import { HoursChip } from './hours-chip';
import {
  DAY_NAMES,
  isSameWeek,
  joined,
  lengthWords,
  oneMore,
  weekMinutes,
  type Interval,
  type Week,
} from './week';

interface Props {
  readonly week: Week;
  /** What is stored: where it differs, it is drawn as an outline. Undefined: nothing is. */
  readonly saved?: Week | undefined;
  readonly timezone: string;
  /** Undefined: it is only looked at. */
  readonly onChange: ((week: Week) => void) | undefined;
}

const HOURS = ['00', '03', '06', '09', '12', '15', '18', '21', '24'];

/** Seven days, each with as many intervals as it likes: dragged, moved by keys, or typed. */
export function WeekEditor({ week, saved, timezone, onChange }: Props) {
  // A day that is switched off and on again has what it had.
  const [before, setBefore] = useState<Week>(week);
  const minute = useFromNow((now) => minuteIn(timezone, now));
  const set = (place: number, intervals: readonly Interval[]) =>
    onChange?.(week.map((day, n) => (n === place ? intervals : day)));
  const turn = (place: number, on: boolean) => {
    if (!on) setBefore(before.map((day, n) => (n === place ? (week[place] ?? []) : day)));
    const kept = before[place] ?? [];
    const usual = week.find((day) => day.length > 0) ?? [oneMore([]) as Interval];
    set(place, on ? (kept.length > 0 ? kept : usual) : []);
  };
  const changed = saved !== undefined && !isSameWeek(week, saved);
  return (
    <>
      <div className="px-3.5 pt-2 pb-2">
        <div aria-hidden className="figures mb-0.5 flex gap-3 text-[11px] text-ink-2">
          <span className="w-14 shrink-0" />
          <span className="flex min-w-0 flex-1 basis-48 justify-between">
            {HOURS.map((hour) => (
              <span key={hour} className="w-0 text-center [text-indent:-0.6em]">
                {hour}
              </span>
            ))}
          </span>
          {onChange && <span className="shrink-0 basis-64 max-lg:hidden" />}
        </div>
        <ul>
          {week.map((intervals, place) => {
            const day = DAY_NAMES[place] as string;
            return (
              <li key={day} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-0.5">
                <label
                  className={`flex w-14 shrink-0 items-center gap-2 coarse:min-h-11 ${
                    intervals.length > 0 ? 'font-semibold' : 'text-ink-2'
                  }`}
                >
                  <input
                    type="checkbox"
                    disabled={!onChange}
                    checked={intervals.length > 0}
                    onChange={(event) => turn(place, event.target.checked)}
                    className="size-4 shrink-0 accent-primary"
                  />
                  {day}
                </label>
                <DayBar
                  day={day}
                  intervals={intervals}
                  saved={saved?.[place]}
                  minute={minute}
                  onChange={onChange && ((next) => set(place, next))}
                />
                {onChange && (
                  <span className="flex shrink-0 basis-64 flex-wrap items-center gap-1 max-lg:basis-full max-lg:pl-17">
                    {intervals.map((interval, n) => (
                      <HoursChip
                        key={n}
                        day={day}
                        interval={interval}
                        onChange={(next) =>
                          set(place, joined(intervals.map((each, m) => (m === n ? next : each))))
                        }
                        onRemove={() =>
                          set(
                            place,
                            intervals.filter((_, m) => m !== n),
                          )
                        }
                      />
                    ))}
                    {intervals.length > 0 && oneMore(intervals) && (
                      <button
                        type="button"
                        aria-label={`Add hours to ${day}`}
                        onClick={() => set(place, joined([...intervals, oneMore(intervals) as Interval]))}
                        className="grid size-[26px] place-items-center rounded-control border border-dashed border-line-strong text-ink-2 hover:text-ink disabled:hidden coarse:size-11"
                      >
                        <X size={12} strokeWidth={2} aria-hidden className="rotate-45" />
                      </button>
                    )}
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3.5 py-2 text-table text-ink-2">
        <span>
          {lengthWords(weekMinutes(week))} a week
          {changed && `, ${lengthWords(weekMinutes(saved))} before`}.
        </span>
        {onChange && (week[0] ?? []).length > 0 && (
          <button
            type="button"
            onClick={() => onChange(week.map((day) => (day.length > 0 ? (week[0] ?? []) : day)))}
            className="text-link hover:underline disabled:hidden coarse:min-h-11"
          >
            Copy Monday to all
          </button>
        )}
        <span aria-hidden className="ml-auto flex items-center gap-1.5 text-note">
          <svg width="12" height="10">
            <rect width="12" height="10" fill="var(--heat-2)" />
          </svg>
          may leave
          {changed && (
            <>
              <svg width="12" height="10" className="ml-1.5">
                <rect
                  {...{ x: 0.5, y: 0.5, width: 11, height: 9, fill: 'none' }}
                  {...{ stroke: 'var(--retry)', strokeDasharray: '3 2' }}
                />
              </svg>
              as saved now
            </>
          )}
        </span>
      </div>
    </>
  );
}
