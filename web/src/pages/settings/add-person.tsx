import { useState } from 'react';
import { addPerson } from '../../api/settings';
import type { Role } from '../../api/types';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { Choice, TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { showToast } from '../../parts/toast';
import type { Invited } from './invitation-once';
import { ROLES } from './role-words';

interface Props {
  readonly onClose: () => void;
  readonly onInvited: (invited: Invited) => void;
}

export function AddPerson({ onClose, onInvited }: Props) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const submit = useSubmit();
  const add = () =>
    submit.run(async () => {
      const added = await addPerson({ email, role });
      if (added.invitation) onInvited({ email: added.email, ...added.invitation });
      else showToast({ text: `Added ${added.email}, who signs in with the password of before.` });
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
        hint="You get a link, once, to hand over. No mail is sent."
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
