import { useState } from 'react';
import { addPerson } from '../../api/settings';
import type { Role } from '../../api/types';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { Choice, TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { showToast } from '../../parts/toast';
import type { Shown } from './people';
import { ROLES } from './role-words';

interface Props {
  readonly onClose: () => void;
  readonly onAdded: (shown: Shown) => void;
}

export function AddPerson({ onClose, onAdded }: Props) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const submit = useSubmit();
  const add = () =>
    submit.run(async () => {
      const { email: address, password, knownBefore } = await addPerson({ email, role });
      if (knownBefore) showToast({ text: `Added ${address}, who signs in with the password of before.` });
      onAdded({ email: address, password });
      onClose();
    });
  return (
    <DialogForm
      title="Add person"
      action="Add person"
      submit={submit}
      fields={['email', 'role']}
      onSubmit={add}
      onClose={onClose}
    >
      <Field
        label="Email"
        error={submit.faultOf('email')}
        hint="A password is made and shown once. No mail is sent."
      >
        <TextInput type="email" required maxLength={254} autoFocus value={email} onChange={setEmail} />
      </Field>
      <Field
        label="Role"
        error={submit.faultOf('role')}
        hint={ROLES.find(({ value }) => value === role)?.may ?? ''}
      >
        <Choice value={role} options={ROLES} onChange={setRole} />
      </Field>
    </DialogForm>
  );
}
