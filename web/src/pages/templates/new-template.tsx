import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { saveTemplateVersion } from '../../api/templates';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';

/** A text that could be sent as it is, to be written over. */
const FIRST = {
  subject: 'News for {{ recipient.name | default: "you" }}',
  html: '<p>Hello {{ recipient.name | default: "there" }},</p>\n<p>write here what has happened.</p>\n<p><a href="{{ manageUrl }}">Change what you get</a> · <a href="{{ unsubscribeUrl }}">Unsubscribe</a></p>\n',
  ...{ text: null, mjml: null },
};

export function NewTemplate({ onClose }: { readonly onClose: () => void }) {
  const [id, setId] = useState('');
  const [locale, setLocale] = useState('en');
  const submit = useSubmit();
  const navigate = useNavigate();
  const make = () =>
    submit.run(async () => {
      const made = await saveTemplateVersion(id.trim(), {
        ...{ version: 'v1', isNew: true, texts: [{ ...FIRST, locale: locale.trim() }] },
      });
      onClose();
      await navigate({ to: '/templates/$templateId', params: { templateId: made.id } });
    });
  return (
    <DialogForm
      title="New template"
      action="Make it"
      submit={submit}
      fields={['id', 'texts.0.locale']}
      onSubmit={make}
      onClose={onClose}
    >
      <Field
        label="Name"
        error={submit.faultOf('id')}
        hint="Events name it by this: letters, digits, dots, dashes. It begins with one text, which you write over."
      >
        <TextInput
          required
          maxLength={64}
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
          autoFocus
          value={id}
          onChange={setId}
        />
      </Field>
      <Field
        label="Locale"
        error={submit.faultOf('texts.0.locale')}
        hint="A language tag such as en or fr-CA."
      >
        <TextInput required maxLength={35} value={locale} onChange={setLocale} />
      </Field>
    </DialogForm>
  );
}
