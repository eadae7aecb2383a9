import { Link } from '@tanstack/react-router';
import type { EventDetail } from '../../api/types';
import { StateGlyph } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';

/** Left out by their own preferences: they are counted, and there is no mail of them. */
const WITHOUT_MAIL = ['notify_on', 'max_notifications', 'snoozed', 'window'];

/** Who was left out, who waits and what died, by why: in the words of the code that decides. */
export function Why({ event: { id, reasons, matched } }: { readonly event: EventDetail }) {
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
            className="flex items-baseline gap-2 border-t border-line py-1.5 text-table first:border-t-0"
          >
            <span className="figures w-12 shrink-0 text-right">
              {hasMail ? (
                <Link
                  to="/queue"
                  search={{ eventId: id, state }}
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
            <span className="min-w-0 flex-1 wrap-anywhere">
              {coded && <code className="mr-1.5 text-[12px]">{visible(reason)}</code>}
              {visible(sentence)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
