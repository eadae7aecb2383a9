import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { updateAccount } from '../../api/accounts';
import { ofSending } from '../../api/queries';
import type { Account } from '../../api/types';
import { Fault } from '../../parts/form/fault';
import { SaveBar } from '../../parts/form/save-bar';
import { useSubmit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { Button } from '../../parts/button';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { accountDraft, changedFields, changeOf, FIELD_LABELS } from './account-draft';
import { AccountForm, LIMITS_NOTE, SHOWN_FAULTS } from './form';
import { holidayWords, rampWords, spacingWords, windowWords } from './limits-words';
import { isKind, kindLabel, KINDS } from './transport-draft';
import { useMe } from '../../session';

type Facts = readonly (readonly [name: string, value: React.ReactNode, from?: string])[];

/** As it is stored, without secrets. */
export function SettingsTab({ account }: { readonly account: Account }) {
  const { inbox } = useMe().installation;
  const { data: workspace } = useQuery(ofSending());
  const own = (value: unknown) => (value === null ? 'workspace' : 'own');
  const limits: Facts = [
    ...(account.type === 'linkedin'
      ? ([
          ['Messages a day', account.dailyLimitMessages],
          ['Invitations a day', account.dailyLimitConnections],
          ['InMails a day', account.dailyLimitInmails],
        ] as const)
      : ([['Emails a day', account.dailyLimitEmails]] as const)),
  ];
  const times: Facts = workspace
    ? [
        ['Window', windowWords(account.window ?? workspace), own(account.window)],
        ['Spacing', spacingWords(account.spacing ?? workspace.spacing), own(account.spacing)],
        [
          'Ramp-up',
          rampWords(account.rampUp ?? { ...workspace.rampUp, enabled: workspace.rampUpEnabled }),
          own(account.rampUp),
        ],
        ['Holidays', holidayWords(account.holidays ?? workspace.holidays), own(account.holidays)],
      ]
    : [];
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
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
            ['Added', <Time key="added" at={account.createdAt} />],
          ]}
        />
      </Panel>
      <Panel title="Limits" note={LIMITS_NOTE}>
        <FactList facts={[...limits, ...times]} />
      </Panel>
    </div>
  );
}

function transportFacts({ transport }: Account): Facts {
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
    {facts.map(([name, value, from]) => (
      <div key={name} className="flex flex-wrap gap-x-3 px-3.5 py-1">
        <dt className="w-36 shrink-0 text-ink-2 max-sm:w-full">{name}</dt>
        <dd className="min-w-0 flex-1 font-semibold break-words [&_code]:break-all">{value}</dd>
        {from !== undefined && <dd className="text-note text-ink-2">{from}</dd>}
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
  const form = useRef<HTMLFormElement>(null);
  return (
    <form
      ref={form}
      className="flex max-w-4xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Fault text={submit.faultBesides(...SHOWN_FAULTS)} />
      <AccountForm draft={draft} onChange={setDraft} submit={submit} stored={account} />
      {fields.length === 0 && (
        <div className="flex justify-end">
          <Button onClick={onDone}>Stop editing</Button>
        </div>
      )}
      <SaveBar
        changed={fields.map((field) => FIELD_LABELS[field])}
        busy={submit.busy}
        onDiscard={() => {
          submit.forget();
          onDone();
        }}
        onSave={() => form.current?.requestSubmit()}
      />
    </form>
  );
}
