import { unsuppress } from '../../../api/suppressions';
import { confirm } from '../../../parts/confirm';
import { faultWords } from '../../../parts/fault-words';
import { showToast } from '../../../parts/toast';
import { visible } from '../../../parts/visible';
import { REASONS, type Suppression } from './reasons';

/** Asks first, with what was said and what could go wrong; who complained only by typing the address. */
export async function removeSuppression({ email, reason, said, ifRemoved }: Suppression): Promise<void> {
  const isComplaint = reason === 'complaint';
  const why = [REASONS[reason].one, said].filter((words) => words !== '').join(': ');
  const sure = await confirm({
    title: `Write to ${visible(email)} again?`,
    text: `${visible(why)}. ${ifRemoved}`,
    action: `Take ${visible(email)} off the list`,
    ...(isComplaint && { type: email }),
  });
  if (!sure) return;
  try {
    await unsuppress(email, isComplaint);
    showToast({ text: `${visible(email)} may be written to again.` });
  } catch (error) {
    showToast({ text: faultWords(error), tone: 'fault' });
  }
}
