import { retryDead } from '../../api/notifications';
import { confirm } from '../../parts/confirm';
import { counted, numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';

/** All that died of an event, or what died of one cause. Asks first; answers what was done, undefined: nothing. */
export async function retry(
  eventId: string,
  count: number,
  cause?: { readonly reason: string; readonly sentence: string },
): Promise<string | undefined> {
  const yes = await confirm({
    title: `Retry ${counted(count, 'dead mail')} of this event?`,
    text: `${cause === undefined ? '' : `Of ${visible(cause.reason)}: ${visible(cause.sentence)}. `}Each gets a fresh round of tries, with the template as it is now. What is still wrong dies again.`,
    action: `Retry ${numberWords(count)}`,
  });
  if (!yes) return undefined;
  let [done, left] = [0, 0];
  for (let more = true; more;) {
    const step = await retryDead(eventId, cause?.reason);
    done += step.done;
    left = step.conflicts;
    more = step.more && step.done > 0;
  }
  return `${counted(done, 'mail')} will be tried again.${left === 0 ? '' : ` ${counted(left, 'mail')} cannot be: nobody wants them any more, or it is too late.`}`;
}
