import { useState } from 'react';
import { changeSubscription, takeManageLink } from '../../api/notifications';
import type { Subscription } from '../../api/types';
import { Button } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { copy } from '../../parts/copy';
import { faultWords } from '../../parts/fault-words';
import { showToast } from '../../parts/toast';
import { useAct } from '../../parts/use-act';
import { visible } from '../../parts/visible';
import { useMayAct } from '../../shell/may-act';
import { Snooze } from './snooze';

/** What its state and the role allow, and nothing else. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }) {
  const may = useMayAct('send');
  const mayTakeLink = useMayAct('operate');
  const [snoozing, setSnoozing] = useState(false);
  const [busy, act] = useAct();
  const { id, status, preferences, contactValue, topic } = subscription;
  const change = (what: object) =>
    act(async () => visible((await changeSubscription(id, what)).plate.sentence));
  const end = () =>
    act(async () => {
      const yes = await confirm({
        title: 'End this subscription?',
        text: `${visible(contactValue)} is told nothing more about ${visible(topic)}. You cannot bring it back: coming back needs the person, by a confirmation.`,
        action: 'End it',
      });
      if (!yes) return undefined;
      return visible((await changeSubscription(id, { status: 'unsubscribed' })).plate.sentence);
    });
  const askAgain = () =>
    act(async () => {
      const yes = await confirm({
        title: 'Ask again for a confirmation?',
        text: `${visible(contactValue)} gets another mail with a link; at most three a day.`,
        action: 'Ask again',
      });
      if (!yes) return undefined;
      await changeSubscription(id, { status: 'pending' });
      return 'Asked, unless three mails did so within a day.';
    });
  const snoozed = preferences.snoozeUntil !== null && subscription.state === 'snoozed';
  return (
    <div className="flex flex-wrap items-center gap-2">
      {may && status === 'active' && (
        <>
          {snoozed ? (
            <Button busy={busy} onClick={() => change({ preferences: { snoozeUntil: null } })}>
              Wake it
            </Button>
          ) : (
            <Button onClick={() => setSnoozing(true)}>Snooze…</Button>
          )}
          <Button busy={busy} onClick={() => change({ status: 'paused' })}>
            Pause
          </Button>
        </>
      )}
      {may && (status === 'paused' || status === 'suppressed') && (
        <Button busy={busy} onClick={() => change({ status: 'active' })}>
          Resume
        </Button>
      )}
      {may && status === 'pending' && (
        <Button busy={busy} onClick={askAgain}>
          Ask again…
        </Button>
      )}
      {may && status !== 'unsubscribed' && (
        <Button kind="danger" busy={busy} onClick={end}>
          End this subscription…
        </Button>
      )}
      {mayTakeLink && (
        <Button
          kind="quiet"
          className="px-1.5!"
          onClick={() =>
            void takeManageLink(id)
              .then(({ manageUrl }) => copy(manageUrl, 'the manage link'))
              .catch((error: unknown) => showToast({ text: faultWords(error), tone: 'fault' }))
          }
        >
          Copy the manage link
        </Button>
      )}
      {snoozing && <Snooze subscription={subscription} onClose={() => setSnoozing(false)} />}
    </div>
  );
}
