import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createAccount } from '../../api/accounts';
import { Button } from '../../parts/button';
import { Fault } from '../../parts/form/fault';
import { LeaveGuard } from '../../parts/form/save-bar';
import { useSubmit } from '../../parts/form/use-submit';
import { showToast } from '../../parts/toast';
import { useMay } from '../../session';
import { NotFoundPage } from '../not-found/page';
import { TopBar } from '../../shell/top-bar';
import { useOffline } from '../../shell/live-indicator';
import { changedFields, changeOf, NO_ACCOUNT } from './account-draft';
import { AccountForm, SHOWN_FAULTS } from './form';

export function NewAccount() {
  const admin = useMay('admin');
  const offline = useOffline();
  const navigate = useNavigate();
  const submit = useSubmit();
  const [draft, setDraft] = useState(NO_ACCOUNT);
  const [made, setMade] = useState(false);
  const fields = changedFields(NO_ACCOUNT, draft);
  if (!admin) return <NotFoundPage />;
  const add = () =>
    submit.run(async () => {
      const account = await createAccount({
        ...changeOf(fields, draft, undefined),
        transport: changeOf(['transport'], draft, undefined)['transport'],
      });
      setMade(true);
      showToast({ text: `Added ${account.name}. Verify it before mail leaves through it.` });
      await navigate({ to: '/accounts/$accountId', params: { accountId: account.id }, ignoreBlocker: true });
    });
  return (
    <>
      <TopBar title="Add account" within={{ label: 'Accounts', to: '/accounts' }} />
      <form
        className="flex max-w-4xl flex-col gap-4 p-5 max-sm:p-3.5"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Fault text={submit.faultBesides(...SHOWN_FAULTS)} />
        <AccountForm draft={draft} onChange={setDraft} submit={submit} stored={undefined} />
        <div className="flex justify-end gap-2">
          <Button onClick={() => void navigate({ to: '/accounts' })}>Back</Button>
          {offline === undefined && (
            <Button type="submit" kind="primary" busy={submit.busy}>
              Add account
            </Button>
          )}
        </div>
      </form>
      <LeaveGuard unsaved={fields.length > 0 && !made} text="The account is not added yet." />
    </>
  );
}
