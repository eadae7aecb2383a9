import { useState } from 'react';
import { updateAccount } from '../../api/accounts';
import type { Account } from '../../api/types';
import { Fault } from '../../parts/form/fault';
import { SaveForm } from '../../parts/form/save-form';
import { useSubmit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { Button } from '../../parts/button';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { accountDraft, changedFields, changeOf, FIELD_LABELS } from './account-draft';
import { AccountForm, SHOWN_FAULTS } from './form';
import { isKind, kindLabel, KINDS, type Transport } from './transport-draft';
import { useMe } from '../../session';

type Facts = readonly (readonly [name: string, value: React.ReactNode])[];

/** As it is stored, without secrets. */
export function SenderPanel({ account }: { readonly account: Account }) {
  const { inbox } = useMe().installation;
  return (
    <Panel
      title="Sender"
      {...(account.isDefault && { note: inbox ? 'the built-in catcher' : 'from SMTP_URL and MAIL_FROM' })}
    >
      <FactList
        facts={[
          ['Name', visible(account.name)],
          ['Address', visible(account.emailAddress ?? 'none')],
          ['Sender name', visible(account.displayName ?? 'none')],
          ['Transport', kindLabel(account.transport.kind)],
          ...transportFacts(account),
          ['Connections', `at most ${account.maxConnections} at once`],
          ...(account.mailsInFlight > 1
            ? ([['Mails in flight', `${account.mailsInFlight} on each connection`]] as const)
            : []),
          ['Added', <Time key="added" at={account.createdAt} />],
        ]}
      />
    </Panel>
  );
}

function transportFacts({ transport }: { readonly transport: Transport }): Facts {
  const { kind } = transport;
  if (kind === 'smtp' && transport['url'] !== undefined)
    return [['Server', <code key="url">{visible(transport['url'])}</code>]];
  if (!isKind(kind)) return [];
  return KINDS[kind].fields
    .filter(({ name }) => transport[name] !== undefined)
    .map(({ name, label, secret }) => [
      label,
      secret === true ? 'stored' : <code key={name}>{visible(transport[name] ?? '')}</code>,
    ]);
}

const FactList = ({ facts }: { readonly facts: Facts }) => (
  <dl className="py-1.5">
    {facts.map(([name, value]) => (
      <div key={name} className="flex flex-wrap gap-x-3 px-3.5 py-1">
        <dt className="w-36 shrink-0 text-ink-2 max-sm:w-full">{name}</dt>
        <dd className="min-w-0 flex-1 font-semibold break-words [&_code]:break-all">{value}</dd>
      </div>
    ))}
  </dl>
);

/** Sends only what was changed. */
export function EditTab({ account, onDone }: { readonly account: Account; readonly onDone: () => void }) {
  // What it was when the editing began: what others change meanwhile is not ours to undo.
  const [before] = useState(() => accountDraft(account));
  const [draft, setDraft] = useState(before);
  const submit = useSubmit();
  const fields = changedFields(before, draft);
  const save = () =>
    submit.run(async () => {
      await updateAccount(account.id, changeOf(fields, draft, account));
      showToast({ text: `Saved ${draft.name}.` });
      onDone();
    });
  return (
    <SaveForm
      changed={fields.map((field) => FIELD_LABELS[field])}
      busy={submit.busy}
      onDiscard={() => {
        submit.forget();
        onDone();
      }}
      onSave={save}
    >
      <Fault text={submit.faultBesides(...SHOWN_FAULTS)} />
      <AccountForm draft={draft} onChange={setDraft} submit={submit} stored={account} />
      {fields.length === 0 && (
        <div className="flex justify-end">
          <Button onClick={onDone}>Stop editing</Button>
        </div>
      )}
    </SaveForm>
  );
}
