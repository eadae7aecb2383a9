import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { cancelEvent, ofEvent, retryDead } from '../../api/notifications';
import { queryClient } from '../../api/query-client';
import type { EventDetail } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { Button } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { copy } from '../../parts/copy';
import { faultWords } from '../../parts/fault-words';
import { counted, numberWords } from '../../parts/number-words';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';
import { useMayAct } from '../../shell/may-act';

/** What would not leave if it were cancelled now; what a worker has in its hands may still leave. */
const notYetSent = ({ counts, progress }: EventDetail): number =>
  counts.scheduled + counts.queued + Math.max(0, progress.total - progress.seen);

/** What its state and the role allow, and nothing else. */
export function EventActions({ event }: { readonly event: EventDetail }) {
  const may = useMayAct('operate');
  const [busy, setBusy] = useState(false);
  const { id, counts, traceId, cancelledAt } = event;
  const open = notYetSent(event);
  const mayCancel = may && cancelledAt === null && open > 0;
  const act = async (work: () => Promise<string | undefined>) => {
    setBusy(true);
    try {
      const done = await work();
      if (done !== undefined) showToast({ text: done });
    } catch (error) {
      showToast({ text: faultWords(error), tone: 'fault' });
    } finally {
      setBusy(false);
    }
  };
  const cancel = () =>
    void act(async () => {
      // The question counts again: meanwhile some may have left.
      const now = await queryClient.query({ ...ofEvent(id), staleTime: 0 });
      const rest = notYetSent(now);
      if (rest === 0) return 'Nothing is left to cancel.';
      const yes = await confirm({
        title: `Cancel ${counted(rest, 'mail')} of this event?`,
        text: `${numberWords(now.counts.sent)} have left and stay with their readers. ${numberWords(rest)} never will: nobody more is told, also if the fan-out still goes on. It cannot be undone; publishing it again tells everybody.`,
        action: `Cancel ${numberWords(rest)}`,
      });
      if (!yes) return undefined;
      const after = await cancelEvent(id);
      return visible(after.plate.sentence);
    });
  const retry = () =>
    void act(async () => {
      const yes = await confirm({
        title: `Retry ${counted(counts.dead, 'dead mail')} of this event?`,
        text: 'Each gets a fresh round of tries, with the template as it is now. What is still wrong dies again.',
        action: `Retry ${numberWords(counts.dead)}`,
      });
      if (!yes) return undefined;
      const { done } = await retryDead(id);
      return `${counted(done, 'mail')} will be tried again.`;
    });
  useShortcuts(mayCancel ? [{ keys: 'c', does: 'cancel what is not yet sent', run: cancel }] : []);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {mayCancel && (
        <Button kind="danger" hint="c" busy={busy} onClick={cancel}>
          Cancel {numberWords(open)} not yet sent…
        </Button>
      )}
      {may && counts.dead > 0 && (
        <Button busy={busy} onClick={retry}>
          Retry {numberWords(counts.dead)} dead…
        </Button>
      )}
      <Button kind="quiet" className="px-1.5!" onClick={() => copy(location.href, 'the link')}>
        <Link2 size={14} strokeWidth={1.75} aria-hidden />
        Copy link
      </Button>
      {traceId !== null && (
        <Button kind="quiet" className="px-1.5!" onClick={() => copy(traceId, 'the trace id')}>
          Trace {visible(short(traceId))}
        </Button>
      )}
    </div>
  );
}

const SHORT = 12;
const short = (id: string): string => (id.length <= SHORT ? id : `${id.slice(0, 4)}…${id.slice(-3)}`);
