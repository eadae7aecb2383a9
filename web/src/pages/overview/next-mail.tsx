import type { Dashboard } from '../../api/types';
import { useNow } from '../../time/clock';
import { dayOf, secondsOf, timeOf, whenWords, zoneName } from '../../time/words';
import { useZone } from '../../time/zone';

export interface NextMail {
  readonly label: string;
  readonly at: number;
}

/** The earlier of the two, as long as it is still to come. */
export function nextMailOf({ retryAt, scheduledAt }: Dashboard['next'], now: number): NextMail | undefined {
  const candidates = [
    { label: 'Next mail', at: scheduledAt },
    { label: 'Next retry', at: retryAt },
  ].flatMap(({ label, at }) => (at === null ? [] : [{ label, at: Date.parse(at) }]));
  return candidates.filter(({ at }) => at > now).sort((a, b) => a.at - b.at)[0];
}

const DAY_MS = 24 * 3_600_000;

export function NextMailCell({ label, at }: NextMail) {
  const zone = useZone();
  const now = useNow();
  const soon = at - now < DAY_MS;
  return (
    <div className="whitespace-nowrap max-sm:flex max-sm:items-baseline max-sm:gap-2 max-sm:border-t max-sm:border-plate-hair max-sm:pt-3">
      <div className="text-note text-ink-2">{label}</div>
      <time
        dateTime={new Date(at).toISOString()}
        className="figures block text-title font-[680] max-sm:ml-auto"
      >
        {soon ? secondsOf(at, zone) : timeOf(at, zone)}
      </time>
      <div className="figures text-note text-ink-2">
        {zoneName(zone, at)}, {soon ? whenWords(at, now, zone) : dayOf(at, zone)}
      </div>
    </div>
  );
}
