import { useState } from 'react';
import { updateAccount } from '../../api/accounts';
import type { Account } from '../../api/types';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { showToast } from '../../parts/toast';

interface Props {
  readonly account: Account;
  readonly onClose: () => void;
}

/** The reason is for whoever finds it paused and wonders. */
export function PauseDialog({ account: { id, name }, onClose }: Props) {
  const [reason, setReason] = useState('');
  const submit = useSubmit();
  const pause = () =>
    submit.run(async () => {
      await updateAccount(id, {
        status: 'paused',
        ...(reason.trim() !== '' && { pauseReason: reason.trim() }),
      });
      showToast({ text: `${name} is paused.` });
      onClose();
    });
  return (
    <DialogForm
      title={`Pause ${name}`}
      action={`Pause ${name}`}
      submit={submit}
      fields={['pauseReason']}
      onSubmit={pause}
      onClose={onClose}
    >
      <p>
        It stops on every machine within a second. Its mail waits and loses no attempt. What is being sent at
        this moment still goes out.
      </p>
      <Field
        label="Reason"
        error={submit.faultOf('pauseReason')}
        hint="Stands beside the account, and in the answer to why a mail has not left."
      >
        <TextInput value={reason} maxLength={500} autoFocus onChange={setReason} />
      </Field>
    </DialogForm>
  );
}
