import { useState } from 'react';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';

interface Props {
  readonly known: readonly string[];
  readonly onAdd: (locale: string) => void;
  readonly onClose: () => void;
}

/** Begins as a copy of the one that is looked at. */
export function AddLocale({ known, onAdd, onClose }: Props) {
  const submit = useSubmit();
  const [tag, setTag] = useState('');
  const [fault, setFault] = useState<string>();
  const add = () => {
    const locale = canonical(tag.trim());
    if (locale === undefined) setFault('Is not a language tag such as en or fr-CA.');
    else if (known.includes(locale)) setFault(`There is ${locale} already.`);
    else onAdd(locale);
  };
  return (
    <DialogForm
      title="Add a locale"
      action="Add it"
      submit={submit}
      fields={[]}
      onSubmit={add}
      onClose={onClose}
    >
      <Field
        label="Language tag"
        error={fault}
        hint="Such as fr, pt-BR or ar. It begins as a copy, and counts once it is saved."
      >
        <TextInput required maxLength={35} autoFocus value={tag} onChange={setTag} />
      </Field>
    </DialogForm>
  );
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
