import { Link } from '@tanstack/react-router';
import type { EventDetail } from '../../api/types';
import { Button } from '../../parts/button';
import { StateGlyph } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';
import { useAct } from '../../parts/use-act';
import { useMayAct } from '../../shell/may-act';
import { retry } from './retry';

/** Left out by their own preferences: they are counted, and there is no mail of them. */
const WITHOUT_MAIL = ['notify_on', 'max_notifications', 'snoozed', 'window'];

/** Those that have come to an end are found by why. */
const ENDED = ['dead', 'skipped', 'expired', 'cancelled'];

/** Who was left out, who waits and what died, by why: in the words of the code that decides. */
export function Why({ event: { id, reasons, matched } }: { readonly event: EventDetail }) {
  const may = useMayAct('operate');
  const [busy, act] = useAct();
  if (reasons.length === 0)
    return (
      <p className="py-1.5 text-table text-ink-2">
        {matched === 0
          ? 'Nobody has subscribed to this topic, so nobody was told.'
          : 'Nobody was left out, and nothing waits.'}
      </p>
    );
  return (
    <ul aria-label="Why" className="-mt-3">
      {reasons.map(({ state, reason, count, sentence }) => {
        const hasMail = !(state === 'skipped' && WITHOUT_MAIL.includes(reason));
        const coded = state === 'dead' || state === 'retry_scheduled';
        return (
          <li
            key={`${state} ${reason}`}
            className="flex flex-wrap items-baseline gap-x-2 border-t border-line py-1.5 text-table first:border-t-0"
          >
            <span className="figures w-12 shrink-0 text-right max-sm:w-8">
              {hasMail ? (
                <Link
                  to="/queue"
                  search={{ eventId: id, state, ...(ENDED.includes(state) && { reason }) }}
                  aria-label={`${numberWords(count)} ${visible(sentence)}: their mails`}
                  className="underline underline-offset-3"
                >
                  {numberWords(count)}
                </Link>
              ) : (
                numberWords(count)
              )}
            </span>
            <span className="self-center">
              <StateGlyph state={state} size={12} />
            </span>
            <span className="min-w-0 flex-1 basis-52 wrap-anywhere">
              {coded && <code className="mr-1.5 text-[12px]">{visible(reason)}</code>}
              {visible(sentence)}
            </span>
            {may && state === 'dead' && (
              <Button
                kind="quiet"
                className="-my-1.5 ml-auto self-center coarse:my-0"
                busy={busy}
                onClick={() => act(() => retry(id, count, { reason, sentence }))}
              >
                Retry {numberWords(count)}…
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
