import { useState } from 'react';
import { updateAccount } from '../../api/accounts';
import type { Account } from '../../api/types';
import { Button } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { CopyButton } from '../../parts/copy';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { LinesInput, TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { showToast } from '../../parts/toast';
import { useMay } from '../../session';

/** Providers that are spoken to by an API sign by themselves. */
const SIGNED_HERE = new Set(['smtp', 'process']);

/** How the account's mail is signed, and what its DNS must say for it. */
export function SignaturePanel({ account }: { readonly account: Account }) {
  const admin = useMay('admin');
  const [asking, setAsking] = useState(false);
  const { dkim } = account;
  if (account.type !== 'email' || !SIGNED_HERE.has(account.transport.kind)) return null;
  return (
    <Panel
      title="Signature"
      note={dkim ? `DKIM, for ${dkim.domain}` : 'DKIM is off'}
      aside={
        admin &&
        (dkim ? (
          <Button onClick={() => void switchOff(account)}>Stop signing…</Button>
        ) : (
          <Button onClick={() => setAsking(true)}>Sign its mail…</Button>
        ))
      }
    >
      {dkim ? (
        <div className="p-3.5">
          <p>Publish this TXT record in the DNS of {dkim.domain}, then verify the account.</p>
          <Line name="Name" value={dkim.record.name} />
          <Line name="Value" value={dkim.record.value} />
        </div>
      ) : (
        <p className="p-3.5 text-ink-2">
          Receivers cannot tell by a signature of ours that this mail is yours. That is well if the mail
          server signs it.
        </p>
      )}
      {asking && <Asked account={account} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

const Line = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className="mt-2 flex flex-wrap items-start gap-x-3">
    <span className="w-20 shrink-0 text-ink-2">{name}</span>
    <code className="min-w-0 flex-1 basis-60 break-all">{value}</code>
    <CopyButton text={value} name={`the ${name.toLowerCase()} of the record`} />
  </div>
);

async function switchOff({ id, name, dkim }: Account): Promise<void> {
  const sure = await confirm({
    title: 'Stop signing?',
    text: `Mail of ${name} leaves without a DKIM signature for ${dkim?.domain ?? ''} from now on, and the key is forgotten. Signing again needs a new record.`,
    action: 'Stop signing',
  });
  if (!sure) return;
  await updateAccount(id, { dkim: null })
    .then(() => showToast({ text: `Mail of ${name} is no longer signed here.` }))
    .catch((fault: unknown) => showToast({ text: (fault as Error).message, tone: 'fault' }));
}

function Asked({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const [domain, setDomain] = useState(account.emailAddress?.split('@').at(-1) ?? '');
  const [selector, setSelector] = useState('pillarbox');
  const [privateKey, setPrivateKey] = useState('');
  const submit = useSubmit();
  const save = () =>
    submit.run(async () => {
      const key = privateKey.trim();
      await updateAccount(account.id, { dkim: { domain, selector, ...(key !== '' && { privateKey: key }) } });
      showToast({ text: `Mail of ${account.name} is signed. Publish its record.` });
      onClose();
    });
  return (
    <DialogForm
      title="Sign its mail"
      action={privateKey.trim() === '' ? 'Make a key and sign' : 'Sign with this key'}
      submit={submit}
      fields={['dkim.domain', 'dkim.selector', 'dkim.privateKey']}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        label="Domain"
        error={submit.faultOf('dkim.domain')}
        hint="That of the sender's address, or above it."
      >
        <TextInput value={domain} onChange={setDomain} spellCheck={false} />
      </Field>
      <Field
        label="Selector"
        error={submit.faultOf('dkim.selector')}
        hint="The name that the key is published under. A new key needs a new one."
      >
        <TextInput value={selector} onChange={setSelector} spellCheck={false} />
      </Field>
      <Field
        label="Private key"
        error={submit.faultOf('dkim.privateKey')}
        hint="In PEM form, if you have one. Empty: one is made. It is stored encrypted and never shown."
      >
        <LinesInput value={privateKey} onChange={setPrivateKey} spellCheck={false} autoComplete="off" />
      </Field>
    </DialogForm>
  );
}
