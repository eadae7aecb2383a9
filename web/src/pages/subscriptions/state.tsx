import type { State, Subscription, SubscriptionState } from '../../api/types';
import { StateGlyph } from '../../parts/glyphs';
import { Time } from '../../time/time';
import { untilWords } from '../../time/until';
import { CampaignGlyph } from '../campaigns/campaign-state';

/** In the order in which people see them. */
export const SUBSCRIPTION_LABELS: Readonly<Record<SubscriptionState, string>> = {
  active: 'Active',
  snoozed: 'Snoozed',
  paused: 'Paused',
  pending: 'Not confirmed',
  unsubscribed: 'Ended',
  suppressed: 'Suppressed',
};

/** As of a mail, where that is the same; what a person paused or has not decided looks as it does of a campaign. */
const GLYPHS: Partial<Record<SubscriptionState, State>> = {
  active: 'sent',
  snoozed: 'scheduled',
  unsubscribed: 'cancelled',
  suppressed: 'skipped',
};

const Glyph = ({ state }: { readonly state: SubscriptionState }) => {
  const glyph = GLYPHS[state];
  return glyph === undefined ? (
    <CampaignGlyph state={state === 'paused' ? 'paused' : 'draft'} />
  ) : (
    <StateGlyph state={glyph} />
  );
};

export const SubscriptionChip = ({ state }: { readonly state: SubscriptionState }) => (
  <span className="inline-flex items-center gap-1.5 font-semibold whitespace-nowrap">
    <Glyph state={state} />
    {SUBSCRIPTION_LABELS[state]}
  </span>
);

/** How often, of how many. What died is told first. */
export function Told({ subscription }: { readonly subscription: Subscription }) {
  const { dead, told, notified, preferences } = subscription;
  if (dead > 0) return <span className="font-semibold text-dead">{dead} dead</span>;
  const most = preferences.maxNotifications;
  if (most !== null) return `${String(notified)} of ${String(most)}`;
  return told >= COUNTED_TO ? `${String(COUNTED_TO)}+` : String(told);
}

/** Further nobody counts. */
const COUNTED_TO = 1_000;

/** The instant that matters in its state. */
export function Last({ subscription }: { readonly subscription: Subscription }) {
  const { state, preferences, lastToldAt, askedAt, suppression, changedAt, updatedAt } = subscription;
  if (state === 'snoozed' && preferences.snoozeUntil !== null)
    return (
      <>
        until <Time at={preferences.snoozeUntil} label="Snoozed until" words={untilWords} />
      </>
    );
  if (state === 'pending' && askedAt !== null)
    return (
      <>
        asked <Time at={askedAt} label="Asked to confirm" />
      </>
    );
  if (state === 'suppressed' && suppression)
    return (
      <>
        since <Time at={suppression.since} label="Suppressed" words={untilWords} />
      </>
    );
  if (state === 'unsubscribed') return <Time at={changedAt ?? updatedAt} label="Ended" />;
  return lastToldAt === null ? (
    <span className="text-ink-2">never</span>
  ) : (
    <Time at={lastToldAt} label="Told last" />
  );
}
