import { useState } from 'react';
import { changeSubscriptions } from '../../api/notifications';
import type { Subscription } from '../../api/types';
import { confirm } from '../../parts/confirm';
import { faultWords } from '../../parts/fault-words';
import { counted, numberWords } from '../../parts/number-words';
import { BarButton, SelectionBar } from '../../parts/selection';
import { showToast } from '../../parts/toast';

interface Props {
  readonly chosen: readonly Subscription[];
  readonly onDone: () => void;
}

const DONE = { active: 'Resumed', paused: 'Paused', unsubscribed: 'Ended' } as const;

/** Each says how many it touches; what cannot be undone asks. */
export function BulkBar({ chosen, onDone }: Props) {
  const [busy, setBusy] = useState(false);
  const active = chosen.filter(({ status }) => status === 'active');
  const resting = chosen.filter(({ status }) => status === 'paused' || status === 'suppressed');
  const open = chosen.filter(({ status }) => status !== 'unsubscribed');
  const turn = async (some: readonly Subscription[], status: keyof typeof DONE) => {
    if (busy) return;
    setBusy(true);
    try {
      const ids = some.map(({ id }) => id);
      const { done, conflicts } = await changeSubscriptions(ids, status);
      const left = conflicts === 0 ? '' : ` ${numberWords(conflicts)} did not allow it any more.`;
      showToast({ text: `${DONE[status]} ${counted(done, 'subscription')}.${left}` });
      onDone();
    } catch (error) {
      showToast({ text: faultWords(error), tone: 'fault' });
    } finally {
      setBusy(false);
    }
  };
  const end = async () => {
    const n = counted(open.length, 'subscription');
    const sure = await confirm({
      title: `End ${n}?`,
      text: 'They are told nothing more about these topics. You cannot bring them back: coming back needs each person, by a confirmation.',
      action: `End ${n}`,
    });
    if (sure) await turn(open, 'unsubscribed');
  };
  return (
    <SelectionBar
      count={chosen.length}
      onClear={onDone}
      className="fixed inset-x-3.5 bottom-16 sm:absolute sm:inset-x-5 sm:bottom-3.5"
    >
      {active.length > 0 && (
        <BarButton first onClick={() => void turn(active, 'paused')}>
          Pause {numberWords(active.length)}
        </BarButton>
      )}
      {resting.length > 0 && (
        <BarButton onClick={() => void turn(resting, 'active')}>
          Resume {numberWords(resting.length)}
        </BarButton>
      )}
      {open.length > 0 && <BarButton onClick={() => void end()}>End {numberWords(open.length)}…</BarButton>}
    </SelectionBar>
  );
}
