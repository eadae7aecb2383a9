import { useState } from 'react';
import { updateContact } from '../../api/contacts';
import type { Contact } from '../../api/types';
import { Button } from '../../parts/button';
import { Fault } from '../../parts/form/fault';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { SaveForm } from '../../parts/form/save-form';
import { useSubmit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { showToast } from '../../parts/toast';
import { useMay } from '../../session';
import { changedWords, contactChange, contactDraft, type ContactDraft } from './contact-draft';

const SHOWN = ['email', 'name', 'linkedinId', 'timezone', 'attributes'];

/** What is known of somebody, and what templates may say of it. */
export function ContactForm({ contact }: { readonly contact: Contact }) {
  const may = useMay('send');
  const [draft, setDraft] = useState(() => contactDraft(contact));
  const submit = useSubmit();
  const change = contactChange(contact, draft);
  const set = (part: Partial<ContactDraft>) => setDraft({ ...draft, ...part });
  const save = () =>
    submit.run(async () => {
      await updateContact(contact.id, change);
      showToast({ text: 'Saved. What has not left yet is rendered with it.' });
    });
  const text = (field: 'email' | 'name' | 'linkedinId' | 'timezone', label: string, hint?: string) => (
    <Field label={label} error={submit.faultOf(field)} {...(hint !== undefined && { hint })}>
      <TextInput
        value={draft[field]}
        disabled={!may}
        maxLength={320}
        autoComplete="off"
        onChange={(value) => set({ [field]: value })}
      />
    </Field>
  );
  return (
    <SaveForm
      changed={may ? changedWords(change) : []}
      busy={submit.busy}
      onDiscard={() => {
        setDraft(contactDraft(contact));
        submit.forget();
      }}
      onSave={save}
    >
      <Fault text={submit.faultBesides(...SHOWN)} />
      <Panel title="Person">
        <div className="grid gap-4 p-3.5 sm:grid-cols-2">
          {text('name', 'Name')}
          {text('email', 'Email')}
          {text('linkedinId', 'LinkedIn id')}
          {text('timezone', 'Time zone', 'Empty: that of the account which writes.')}
        </div>
      </Panel>
      <Attributes draft={draft} fault={submit.faultOf('attributes')} onChange={may ? set : undefined} />
    </SaveForm>
  );
}

interface AttributesProps {
  readonly draft: ContactDraft;
  readonly fault: string | undefined;
  readonly onChange: ((part: Partial<ContactDraft>) => void) | undefined;
}

function Attributes({ draft: { attributes }, fault, onChange }: AttributesProps) {
  const put = (n: number, part: Partial<ContactDraft['attributes'][number]>) =>
    onChange?.({ attributes: attributes.map((each, at) => (at === n ? { ...each, ...part } : each)) });
  return (
    <Panel
      title="Attributes"
      note={<code>contact.attributes.…</code>}
      {...(onChange && {
        aside: (
          <Button onClick={() => onChange({ attributes: [...attributes, { name: '', value: '' }] })}>
            Add attribute
          </Button>
        ),
      })}
    >
      <div className="flex flex-col gap-2 p-3.5">
        {fault !== undefined && (
          <p role="alert" className="text-note font-semibold text-dead">
            {fault}
          </p>
        )}
        {attributes.length === 0 && <p className="text-table text-ink-2">None is known.</p>}
        {attributes.map(({ name, value }, n) => (
          <div key={n} className="flex flex-wrap items-center gap-2">
            <TextInput
              aria-label={`Name of attribute ${String(n + 1)}`}
              value={name}
              disabled={!onChange}
              maxLength={100}
              onChange={(next) => put(n, { name: next })}
              className="max-w-48 flex-1 basis-32 font-mono text-mono"
            />
            <TextInput
              aria-label={`Value of attribute ${String(n + 1)}`}
              value={value}
              disabled={!onChange}
              maxLength={4_000}
              onChange={(next) => put(n, { value: next })}
              className="flex-1 basis-40"
            />
            {onChange && (
              <Button
                kind="quiet"
                aria-label={`Remove attribute ${String(n + 1)}`}
                onClick={() => onChange({ attributes: attributes.filter((_, at) => at !== n) })}
              >
                ×
              </Button>
            )}
          </div>
        ))}
      </div>
    </Panel>
  );
}
