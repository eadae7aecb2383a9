import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ofAccounts } from '../../api/queries';
import { testStep, type WhatToShow } from '../../api/sequences';
import type { SequenceStep } from '../../api/types';
import { Button } from '../../parts/button';
import { Fault } from '../../parts/form/fault';
import { Field } from '../../parts/form/field';
import { Choice, TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { visible } from '../../parts/visible';
import { useMe } from '../../session';
import { useOffline } from '../../shell/live-indicator';

interface Props {
  readonly id: string;
  readonly what: WhatToShow;
  readonly action: SequenceStep['action'];
}

/** Byte for byte what the preview shows, to an address of one's own. */
export function TestSend({ id, what, action }: Props) {
  const { user, installation } = useMe();
  const offline = useOffline();
  const submit = useSubmit();
  const { data } = useQuery(ofAccounts());
  const type = action === 'email' ? 'email' : 'linkedin';
  const accounts = (data?.items ?? []).filter((account) => account.type === type);
  const [chosen, setChosen] = useState<string>();
  const account = accounts.find((each) => each.id === chosen) ?? accounts[0];
  const [to, setTo] = useState(type === 'email' ? (user?.email ?? '') : '');
  const [sent, setSent] = useState<{ readonly id: string; readonly to: string }>();
  if (!data || offline !== undefined) return null;
  if (!account)
    return (
      <p className="text-note text-ink-2">
        A test needs an account {type === 'email' ? 'that sends email' : 'at LinkedIn'}.{' '}
        <Link to="/accounts">Accounts</Link>
      </p>
    );
  const send = () =>
    submit.run(async () => {
      setSent(undefined);
      const { id: message } = await testStep(id, { ...what, accountId: account.id, to: to.trim() });
      setSent({ id: message, to: to.trim() });
    });
  return (
    <form
      aria-label="Test send"
      className="flex flex-col gap-3 rounded-panel border border-line bg-sunken p-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Fault text={submit.faultBesides('to', 'accountId')} />
      <div className="flex flex-wrap items-end gap-2">
        <Field
          label={type === 'email' ? 'Test send to' : 'Test send to, by LinkedIn id'}
          error={submit.faultOf('to')}
          className="flex-1 basis-48"
        >
          <TextInput value={to} required maxLength={320} onChange={setTo} />
        </Field>
        {accounts.length > 1 && (
          <Field label="From" error={submit.faultOf('accountId')} className="flex-1 basis-40">
            <Choice
              value={account.id}
              options={accounts.map((each) => ({
                value: each.id,
                label: visible(each.emailAddress ?? each.name),
              }))}
              onChange={setChosen}
            />
          </Field>
        )}
        <Button type="submit" busy={submit.busy}>
          Send test
        </Button>
      </div>
      <p role="status" className="text-note text-ink-2 wrap-anywhere">
        {sent ? (
          <>
            The test to {visible(sent.to)} leaves at once:{' '}
            <Link to="/queue/$messageId" params={{ messageId: sent.id }} search={{}}>
              look at it
            </Link>
            {installation.inbox && (
              <>
                {' '}
                or in the <Link to="/inbox">Dev inbox</Link>
              </>
            )}
            .
          </>
        ) : (
          'What stands above, whatever window and quota; it uses none.'
        )}
      </p>
    </form>
  );
}
