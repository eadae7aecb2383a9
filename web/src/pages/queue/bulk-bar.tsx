import { confirm } from '../../parts/confirm';
import { numberWords } from '../../parts/number-words';
import { BarButton } from '../../parts/selection';
import { decideMany, UNDONE_AT_MOST, type Target } from './decide';
import { REQUESTS, type Decision } from './decisions';
import { mixWords, touchedBy, type Mix } from './selection';

interface Props {
  readonly mix: Mix;
  readonly selected: number | undefined;
  /** The ids that a decision may touch, or the filter of all that match. */
  readonly targetOf: (decision: Decision) => Target;
  /** "all 163 that match": offered once the page is selected. */
  readonly offer: { readonly words: string; readonly take: () => void } | undefined;
  /** The mix is that of the page, and more than it is meant. */
  readonly beyond: boolean;
  readonly onDecideHeld: () => void;
  readonly onDone: () => void;
  readonly onClear: () => void;
}

/** Names what is selected, and how many each action may touch. */
export function BulkBar(props: Props) {
  const { mix, selected, offer, beyond, onClear } = props;
  const count = (decision: Decision) => (beyond ? undefined : touchedBy(decision, mix));
  const act = async (decision: Decision) => {
    const touched = count(decision);
    if (!(await isMeant(decision, touched, mix))) return;
    decideMany(decision, props.targetOf(decision), touched);
    props.onDone();
  };
  const has = (decision: Decision) => touchedBy(decision, mix) > 0;
  const words = (decision: Decision) => {
    const n = count(decision);
    return n === undefined ? 'all' : numberWords(n);
  };
  const asks = (mix.held ?? 0) > 0 || beyond || touchedBy('dismiss', mix) > UNDONE_AT_MOST;
  return (
    <section
      aria-label="Selection"
      className="fixed inset-x-0 bottom-0 z-30 flex flex-wrap items-center gap-x-3 gap-y-2 bg-primary px-3.5 py-2.5 text-table text-on-primary shadow-float sm:absolute sm:inset-x-5 sm:bottom-3.5 sm:animate-rise sm:rounded-panel"
    >
      <span className="min-w-0">
        <strong>{selected === undefined ? 'All that match' : `${numberWords(selected)} selected`}</strong>
        <span className="ml-2">{mixWords(mix)}</span>
        {offer && (
          <button type="button" onClick={offer.take} className="ml-2 min-h-6 underline underline-offset-3">
            {offer.words}
          </button>
        )}
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {has('retry') && (
          <BarButton first onClick={() => void act('retry')}>
            Retry {words('retry')} dead
          </BarButton>
        )}
        {has('sent') && <BarButton onClick={props.onDecideHeld}>Decide {words('sent')} held…</BarButton>}
        {has('dismiss') && (
          <BarButton onClick={() => void act('dismiss')}>
            Dismiss {words('dismiss')}
            {asks && '…'}
          </BarButton>
        )}
        {has('cancel') && (
          <BarButton onClick={() => void act('cancel')}>Cancel {words('cancel')} waiting…</BarButton>
        )}
        <button type="button" onClick={onClear} className="min-h-8 px-1.5 coarse:min-h-11">
          <span className="sm:hidden">Clear</span>
          <span className="max-sm:hidden" aria-hidden>
            Esc
          </span>
          <span className="sr-only max-sm:hidden">Clear the selection</span>
        </button>
      </span>
    </section>
  );
}

/** Asked where it can't be taken back, or touches more than one can look at. */
export function isMeant(decision: Decision, count: number | undefined, mix: Mix): Promise<boolean> {
  const n = count === undefined ? 'all that match' : numberWords(count);
  const many = count === undefined || count > UNDONE_AT_MOST;
  if (decision === 'cancel')
    return confirm({
      title: `Cancel ${n} waiting?`,
      text: "They will not be sent. A cancelled mail can't be brought back.",
      action: `Cancel ${n}`,
    });
  if (decision === 'dismiss' && (many || (mix.held ?? 0) > 0))
    return confirm({
      title: `Dismiss ${n}?`,
      text: `They leave the work lists as cancelled and are not tried again.${(mix.held ?? 0) > 0 ? ' The held ones may have left; nobody is asked about them again.' : ''}`,
      action: `Dismiss ${n}`,
    });
  if (decision === 'again')
    return confirm({
      title: `Send ${n} again?`,
      text: "Each may reach its recipient twice, with the same Message-ID. What is sent can't be called back.",
      action: `Send ${n} again`,
    });
  if (REQUESTS[decision].action === 'retry' && many)
    return confirm({
      title: `Retry ${n} dead?`,
      text: 'They are due at once. What has left by then can not be called back.',
      action: `Retry ${n}`,
    });
  return Promise.resolve(true);
}
