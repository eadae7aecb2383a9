import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { accountsChanged, deleteAccount, updateAccount } from '../../api/accounts';
import type { Account, AccountStanding } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { Button } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { faultWords } from '../../parts/fault-words';
import { numberWords } from '../../parts/number-words';
import { showToast } from '../../parts/toast';
import { useMay } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { PauseDialog } from './pause-dialog';

interface Props {
  readonly account: Account;
  readonly standing: AccountStanding | undefined;
  readonly onEdit: (() => void) | undefined;
  readonly verifying: boolean;
  readonly onVerify: () => void;
}

const failed = (error: unknown) => showToast({ text: faultWords(error), tone: 'fault' });

/** What role and state allow; the rest is absent. */
export function AccountActions({ account, standing, onEdit, verifying, onVerify }: Props) {
  const operator = useMay('operate');
  const admin = useMay('admin');
  const offline = useOffline();
  const navigate = useNavigate();
  const [pausing, setPausing] = useState(false);
  const paused = account.status === 'paused';
  const turn = () => {
    if (paused) void resume(account, standing?.waiting ?? 0).catch(failed);
    else setPausing(true);
  };
  useShortcuts(
    operator && offline === undefined
      ? [{ keys: 'p', does: paused ? 'resume the account' : 'pause the account', run: turn }]
      : [],
  );
  const remove = async () => {
    const { id, name } = account;
    const sure = await confirm({
      title: `Delete ${name}?`,
      text: 'Its credentials are deleted at once and cannot be brought back. What it sent stays in the queue’s history.',
      action: `Delete ${name}`,
      type: name,
    });
    if (!sure) return;
    await deleteAccount(id);
    showToast({ text: `Deleted ${name}.` });
    await navigate({ to: '/accounts', ignoreBlocker: true });
    accountsChanged();
  };
  if (offline !== undefined || !operator) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button busy={verifying} onClick={onVerify}>
        {verifying ? 'Connecting' : 'Verify'}
      </Button>
      <Button hint="p" onClick={turn}>
        {paused ? 'Resume' : 'Pause…'}
      </Button>
      {onEdit && <Button onClick={onEdit}>Edit</Button>}
      {admin && !account.isDefault && (
        <Button kind="danger" onClick={() => void remove().catch(failed)}>
          Delete…
        </Button>
      )}
      {pausing && <PauseDialog account={account} onClose={() => setPausing(false)} />}
    </div>
  );
}

/** It releases mail, which cannot be called back: it says how much before. */
export async function resume({ id, name }: Account, waiting: number): Promise<void> {
  const mails = waiting === 1 ? '1 mail waits' : `${numberWords(waiting)} mails wait`;
  const sure =
    waiting === 0 ||
    (await confirm({
      title: `Resume ${name}?`,
      text: `${mails} for it. What is due begins to leave at once; that cannot be undone.`,
      action: 'Resume',
    }));
  if (!sure) return;
  await updateAccount(id, { status: 'active' });
  showToast({ text: `${name} may send again.` });
}
