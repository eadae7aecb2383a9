import { Link2 } from 'lucide-react';
import { cancelEvent, ofEvent } from '../../api/notifications';
import { queryClient } from '../../api/query-client';
import type { EventDetail } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { Button } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { copy } from '../../parts/copy';
import { counted, numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';
import { useAct } from '../../parts/use-act';
import { useMayAct } from '../../shell/may-act';
import { retry } from './retry';

/** What would not leave if it were cancelled now; what a worker has in its hands may still leave. */
const notYetSent = ({ counts, progress }: EventDetail): number =>
  counts.scheduled + counts.queued + Math.max(0, progress.total - progress.seen);

/** What its state and the role allow, and nothing else. */
export function EventActions({ event }: { readonly event: EventDetail }) {
  const may = useMayAct('operate');
  const [busy, act] = useAct();
  const { id, counts, traceId, cancelledAt } = event;
  const open = notYetSent(event);
  const mayCancel = may && cancelledAt === null && open > 0;
  /** Where there is one cause, its own button says it. */
  const causes = event.reasons.filter(({ state }) => state === 'dead').length;
  const cancel = () =>
    act(async () => {
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
  useShortcuts(mayCancel ? [{ keys: 'c', does: 'cancel what is not yet sent', run: cancel }] : []);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {mayCancel && (
        <Button kind="danger" hint="c" busy={busy} onClick={cancel}>
          Cancel {numberWords(open)} not yet sent…
        </Button>
      )}
      {may && counts.dead > 0 && causes !== 1 && (
        <Button busy={busy} onClick={() => act(() => retry(id, counts.dead))}>
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
