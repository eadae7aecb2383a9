import { useState } from 'react';
import { changeSubscription } from '../../api/notifications';
import type { Subscription } from '../../api/types';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { Choice } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';
import { serviceNow } from '../../time/clock';

const DAY_MS = 86_400_000;
const DAYS = ['1', '7', '30', '90'] as const;

/** Nothing is sent for a while, and then as before. */
export function Snooze({
  subscription: { id },
  onClose,
}: {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}) {
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const submit = useSubmit();
  return (
    <DialogForm
      title="Snooze this subscription"
      action="Snooze it"
      submit={submit}
      fields={['preferences']}
      onClose={onClose}
      onSubmit={() =>
        submit.run(async () => {
          const snoozeUntil = new Date(serviceNow() + Number(days) * DAY_MS).toISOString();
          const { plate } = await changeSubscription(id, { preferences: { snoozeUntil } });
          showToast({ text: visible(plate.sentence) });
          onClose();
        })
      }
    >
      <Field
        label="For"
        error={submit.faultOf('preferences')}
        hint="What happens meanwhile waits, and is told afterwards unless it is too late by then."
      >
        <Choice
          value={days}
          onChange={setDays}
          options={DAYS.map((value) => ({ value, label: value === '1' ? '1 day' : `${value} days` }))}
        />
      </Field>
    </DialogForm>
  );
}
