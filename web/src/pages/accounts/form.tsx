import type { Account } from '../../api/types';
import { Choice, LinesInput, NumberInput, TextInput } from '../../parts/form/inputs';
import { Field } from '../../parts/form/field';
import type { Submit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { useMe } from '../../session';
import { FIELD_LABELS, keepsSecret, type AccountDraft } from './account-draft';
import { apiField, KINDS, type Kind } from './transport-draft';

interface Props {
  readonly draft: AccountDraft;
  readonly onChange: (draft: AccountDraft) => void;
  readonly submit: Submit;
  /** Undefined: a new one. */
  readonly stored: Account | undefined;
}

/** The disk belongs to whoever runs the machine: files are not for everybody who runs a workspace. */
const kindOptions = (isForFiles: boolean) =>
  (Object.keys(KINDS) as Kind[])
    .filter((value) => value !== 'file' || isForFiles)
    .map((value) => ({ value, label: KINDS[value].label }));
const TYPE_OPTIONS = [
  { value: 'email', label: 'Email' },
  { value: 'linkedin', label: 'LinkedIn' },
] as const;
const GRID = 'grid gap-4 p-3.5 sm:grid-cols-2';

/** Who it is and how it sends. The limits of one that is there have a page of their own. */
export const AccountForm = (props: Props) => (
  <>
    <Sender {...props} />
    <TransportForm {...props} />
    {props.stored === undefined && <LimitsForm {...props} />}
  </>
);

function Sender({ draft, onChange, submit, stored }: Props) {
  const set = (change: Partial<AccountDraft>) => onChange({ ...draft, ...change });
  return (
    <Panel title="Sender">
      <div className={GRID}>
        <Field
          label={FIELD_LABELS.name}
          error={submit.faultOf('name')}
          hint="What people here call it. Each name once."
        >
          <TextInput
            value={draft.name}
            required
            maxLength={100}
            autoFocus={stored === undefined}
            onChange={(name) => set({ name })}
          />
        </Field>
        {draft.transport.kind === 'unipile' && (
          <Field label={FIELD_LABELS.type} error={submit.faultOf('type')}>
            <Choice value={draft.type} options={TYPE_OPTIONS} onChange={(type) => set({ type })} />
          </Field>
        )}
        <Field
          label={FIELD_LABELS.emailAddress}
          error={submit.faultOf('emailAddress')}
          hint="Mail leaves as this address. Empty: the user of the server, if that is an address."
        >
          <TextInput
            type="email"
            value={draft.emailAddress}
            onChange={(emailAddress) => set({ emailAddress })}
          />
        </Field>
        <Field
          label={FIELD_LABELS.displayName}
          error={submit.faultOf('displayName')}
          hint="What recipients see beside the address."
        >
          <TextInput
            value={draft.displayName}
            maxLength={200}
            onChange={(displayName) => set({ displayName })}
          />
        </Field>
      </div>
    </Panel>
  );
}

function TransportForm({ draft, onChange, submit, stored }: Props) {
  const { kind, values } = draft.transport;
  const { administersInstallation } = useMe();
  const options = kindOptions(administersInstallation || stored?.transport.kind === 'file');
  const setKind = (next: Kind) =>
    onChange({
      ...draft,
      type: next === 'unipile' ? draft.type : 'email',
      transport: { kind: next, values: {} },
    });
  const set = (name: string, value: string) =>
    onChange({ ...draft, transport: { kind, values: { ...values, [name]: value } } });
  return (
    <Panel title="Transport">
      <div className={GRID}>
        <Field label="Kind" error={submit.faultOf('transport.kind')} className="sm:col-span-2">
          <Choice value={kind} options={options} onChange={setKind} className="max-w-60" />
        </Field>
        {KINDS[kind].fields.map((field) => {
          const stays = field.secret === true && keepsSecret(draft, stored, field.name);
          return (
            <Field
              key={field.name}
              label={field.label}
              error={submit.faultOf(apiField(kind, field.name))}
              hint={stays ? STAYS : field.hint}
            >
              {field.lines === true ? (
                <LinesInput
                  spellCheck={false}
                  value={values[field.name] ?? ''}
                  onChange={(value) => set(field.name, value)}
                />
              ) : (
                <TextInput
                  type={field.secret === true ? 'password' : 'text'}
                  autoComplete="off"
                  spellCheck={false}
                  required={field.optional !== true && !stays}
                  placeholder={stays ? 'Stored, leave empty to keep' : field.placeholder}
                  value={values[field.name] ?? ''}
                  onChange={(value) => set(field.name, value)}
                />
              )}
            </Field>
          );
        })}
        {kind !== 'file' && (
          <Field
            label={FIELD_LABELS.maxConnections}
            error={submit.faultOf('maxConnections')}
            hint="At once, to its server."
          >
            <NumberInput
              required
              min={1}
              max={100}
              step={1}
              value={draft.maxConnections}
              onChange={(maxConnections) => onChange({ ...draft, maxConnections })}
            />
          </Field>
        )}
        {kind === 'smtp' && (
          <Field
            label={FIELD_LABELS.mailsInFlight}
            error={submit.faultOf('mailsInFlight')}
            hint="Without an answer on each connection, if the server offers CHUNKING. All of them are in doubt if the line breaks."
          >
            <NumberInput
              required
              min={1}
              max={8}
              step={1}
              value={draft.mailsInFlight}
              onChange={(mailsInFlight) => onChange({ ...draft, mailsInFlight })}
            />
          </Field>
        )}
      </div>
    </Panel>
  );
}

const STAYS = 'It is needed again if anything else about the server changes.';

const LIMITS_NOTE = 'They hold for guarded mail only. More of them once it is added.';

function LimitsForm({ draft, onChange, submit }: Props) {
  const fields =
    draft.type === 'linkedin'
      ? (['dailyLimitMessages', 'dailyLimitConnections', 'dailyLimitInmails'] as const)
      : (['dailyLimitEmails'] as const);
  return (
    <Panel title="Limits" note={LIMITS_NOTE}>
      <div className={GRID}>
        {fields.map((name) => (
          <Field key={name} label={FIELD_LABELS[name]} error={submit.faultOf(name)}>
            <NumberInput
              required
              min={0}
              max={1_000_000}
              step={1}
              value={draft[name]}
              onChange={(value) => onChange({ ...draft, [name]: value })}
            />
          </Field>
        ))}
      </div>
    </Panel>
  );
}

/** Fields that show their own fault; what is said about others stands above the form. */
export const SHOWN_FAULTS = [
  ...['name', 'type', 'emailAddress', 'displayName', 'transport', 'maxConnections', 'mailsInFlight'],
  ...['dailyLimitEmails', 'dailyLimitMessages', 'dailyLimitConnections', 'dailyLimitInmails'],
];
