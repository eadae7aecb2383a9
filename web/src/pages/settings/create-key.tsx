import { useState } from 'react';
import { createKey } from '../../api/settings';
import type { Scope } from '../../api/types';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { CheckboxRow, Choice, TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { serviceNow } from '../../time/clock';
import { expiryOf, KEY_LIVES, type KeyLife } from './key-life';
import { SCOPES } from './role-words';

interface Props {
  readonly onClose: () => void;
  readonly onMade: (made: { readonly name: string; readonly key: string }) => void;
}

export function CreateKey({ onClose, onMade }: Props) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['send']);
  const [days, setDays] = useState<KeyLife>('never');
  const submit = useSubmit();
  const everything = scopes.includes('admin');
  const create = () =>
    submit.run(async () => {
      const { key } = await createKey({ name, scopes, expiresAt: expiryOf(days, serviceNow()) });
      onMade({ name, key });
      onClose();
    });
  const turn = (scope: Scope, on: boolean) =>
    setScopes(
      SCOPES.map(({ value }) => value).filter((each) => (each === scope ? on : scopes.includes(each))),
    );
  return (
    <DialogForm
      title="Create key"
      action="Create key"
      submit={submit}
      fields={['name', 'scopes', 'expiresAt']}
      onSubmit={create}
      onClose={onClose}
    >
      <Field
        label="Name"
        error={submit.faultOf('name')}
        hint="Which program uses it. Stands in the audit log."
      >
        <TextInput required maxLength={100} autoFocus value={name} onChange={setName} />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-semibold">It may</legend>
        {SCOPES.map(({ value, label, may }) => (
          <CheckboxRow
            key={value}
            label={label}
            hint={may}
            checked={everything || scopes.includes(value)}
            disabled={everything && value !== 'admin'}
            onChange={(on) => turn(value, on)}
          />
        ))}
        {submit.faultOf('scopes') !== undefined && (
          <p className="text-note font-semibold text-dead">Choose at least one.</p>
        )}
      </fieldset>
      <Field
        label="Ends"
        error={submit.faultOf('expiresAt')}
        hint={
          days === 'never' ? 'Until somebody revokes it.' : 'From then on every request with it is refused.'
        }
      >
        <Choice value={days} options={KEY_LIVES} onChange={setDays} />
      </Field>
    </DialogForm>
  );
}
