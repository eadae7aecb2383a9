import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { addContact } from '../../api/contacts';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { showToast } from '../../parts/toast';

/** One by one; who is known is updated. */
export function AddContact({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const submit = useSubmit();
  const navigate = useNavigate();
  const add = () =>
    submit.run(async () => {
      const added = await addContact({ email, ...(name.trim() !== '' && { name: name.trim() }) });
      showToast({ text: `Added ${name.trim() || email}.` });
      onClose();
      if ('id' in added) await navigate({ to: '/contacts/$contactId', params: { contactId: added.id } });
    });
  return (
    <DialogForm
      title="Add contact"
      action="Add contact"
      submit={submit}
      fields={['email', 'name']}
      onSubmit={add}
      onClose={onClose}
    >
      <Field
        label="Email"
        error={submit.faultOf('email')}
        hint="A known address is updated and keeps its history. Who unsubscribed stays so."
      >
        <TextInput type="email" required maxLength={320} autoFocus value={email} onChange={setEmail} />
      </Field>
      <Field label="Name" error={submit.faultOf('name')}>
        <TextInput maxLength={200} value={name} onChange={setName} />
      </Field>
    </DialogForm>
  );
}
