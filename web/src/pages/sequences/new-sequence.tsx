import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createSequence } from '../../api/sequences';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';

/** A first step that could be sent as it is, to be written over. */
const FIRST = {
  ...{ order: 1, delayDays: 0, subject: 'Hello {{ contact.name | default: "there" }}' },
  body: 'Hello {{ contact.name | default: "there" }},\n\nwrite here what you have to say.\n\n{{ account.name }}\n',
};

export function NewSequence({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const submit = useSubmit();
  const navigate = useNavigate();
  const make = () =>
    submit.run(async () => {
      const { id } = await createSequence({ name: name.trim(), steps: [FIRST] });
      onClose();
      await navigate({ to: '/sequences/$sequenceId', params: { sequenceId: id } });
    });
  return (
    <DialogForm
      title="New sequence"
      action="Make it"
      submit={submit}
      fields={['name']}
      onSubmit={make}
      onClose={onClose}
    >
      <Field
        label="Name"
        error={submit.faultOf('name')}
        hint="For you and your campaigns; people do not see it. It begins with one mail, which you write over."
      >
        <TextInput required maxLength={100} autoFocus value={name} onChange={setName} />
      </Field>
    </DialogForm>
  );
}
