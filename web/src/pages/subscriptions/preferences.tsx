import type { ReactNode } from 'react';
import type { Subscription } from '../../api/types';
import { DayStrip, openWords } from '../../parts/charts/day-strip';
import { visible } from '../../parts/visible';
import { useNow } from '../../time/clock';
import { Time } from '../../time/time';
import { minuteIn, untilWords } from '../../time/until';

const DAY = 1_440;

/** What the person wants: when, how often, at which hours. */
export function Preferences({ subscription }: { readonly subscription: Subscription }) {
  const { preferences, timezone, notified } = subscription;
  const { notifyOn, maxNotifications, deliveryWindow, snoozeUntil } = preferences;
  return (
    <dl className="mt-3 rounded-panel border border-line px-3 py-0.5">
      <Line name="Tells when">
        {notifyOn === null ? (
          'anything happens'
        ) : (
          <>
            it is <strong>{visible(notifyOn.join(', '))}</strong>
          </>
        )}
      </Line>
      <Line name="At most">
        {maxNotifications === null ? (
          <span className="text-ink-2">no limit</span>
        ) : (
          <>
            <strong>{maxNotifications}</strong> notifications, {Math.max(0, maxNotifications - notified)} left
          </>
        )}
      </Line>
      <Line name={`Hours, ${timezone ?? 'UTC'}`}>
        {deliveryWindow === null ? (
          <span className="text-ink-2">any</span>
        ) : (
          <Hours window={deliveryWindow} timezone={timezone ?? 'UTC'} />
        )}
      </Line>
      <Line name="Snoozed">
        {snoozeUntil === null ? (
          <span className="text-ink-2">no</span>
        ) : (
          <>
            until <Time at={snoozeUntil} label="Snoozed until" words={untilWords} />
          </>
        )}
      </Line>
    </dl>
  );
}

const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex items-center gap-3 border-t border-line py-1.5 text-table first:border-t-0">
    <dt className="w-36 shrink-0 wrap-anywhere text-ink-2 max-sm:w-24">{name}</dt>
    <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
  </div>
);

function Hours({
  window: { startMinutes, endMinutes },
  timezone,
}: {
  readonly window: NonNullable<Subscription['preferences']['deliveryWindow']>;
  readonly timezone: string;
}) {
  const now = useNow();
  // A start behind the end spans midnight.
  const open =
    startMinutes < endMinutes
      ? [[startMinutes, endMinutes]]
      : [
          [0, endMinutes],
          [startMinutes, DAY],
        ];
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <DayStrip open={open} minute={minuteIn(timezone, now)} className="w-60 max-w-full" />
      <span className="figures text-note text-ink-2">{openWords([[startMinutes, endMinutes]])}</span>
    </span>
  );
}
