import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ofKeys, revokeKey } from '../../api/settings';
import type { ApiKey } from '../../api/types';
import { Button } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { SecretOnce } from '../../parts/form/secret-once';
import { Panel } from '../../parts/panel';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { Untrusted } from '../../parts/untrusted';
import { useOffline } from '../../shell/live-indicator';
import { useFromNow } from '../../time/clock';
import { Time } from '../../time/time';
import { CreateKey } from './create-key';
import { CELL, MoreLink, Table } from './table';

export function KeysSection() {
  const [cursor, setCursor] = useState<string>();
  const { data, error, refetch } = useQuery(ofKeys(cursor));
  const offline = useOffline();
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<{ readonly name: string; readonly key: string }>();
  if (error && !data) return <Failure error={error} what="the keys" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={4} />;
  const create = offline === undefined && <Button onClick={() => setCreating(true)}>Create key</Button>;
  return (
    <Panel title="API keys" note="for programs: Authorization: Bearer …" aside={create} className="max-w-4xl">
      {data.items.length === 0 ? (
        <Empty title="No API key.">A program needs one to hand in mail or to look at the queue.</Empty>
      ) : (
        <Table heads={['Name', 'Key', 'May', 'Created', 'Last used', 'Ends']}>
          {data.items.map((key) => (
            <Key key={key.id} apiKey={key} acts={offline === undefined} />
          ))}
        </Table>
      )}
      <MoreLink next={data.nextCursor} onNext={setCursor} />
      {creating && <CreateKey onClose={() => setCreating(false)} onMade={setMade} />}
      {made && (
        <SecretOnce
          title={`Key ${made.name}`}
          text="Copy it now. It is stored only as a hash and cannot be shown again."
          secret={made.key}
          onClose={() => setMade(undefined)}
        />
      )}
    </Panel>
  );
}

function Key({ apiKey, acts }: { readonly apiKey: ApiKey; readonly acts: boolean }) {
  const { id, name, hint, scopes, createdAt, lastUsedAt, expiresAt } = apiKey;
  const revoke = async () => {
    const sure = await confirm({
      title: `Revoke ${name}?`,
      text: 'The next request with it is refused. It cannot be brought back.',
      action: `Revoke ${name}`,
    });
    if (!sure) return;
    await revokeKey(id);
    showToast({ text: `Revoked ${name}.` });
  };
  return (
    <tr className="border-t border-line max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-3 max-sm:px-3.5 max-sm:py-2.5">
      <td className={`${CELL} font-semibold break-all max-sm:p-0`}>
        <Untrusted text={name} />
      </td>
      <td className={`${CELL} max-sm:p-0`}>
        <code>{hint}</code>
      </td>
      <td className={`${CELL} max-sm:col-span-2 max-sm:p-0`}>{scopes.join(', ')}</td>
      <td className={`${CELL} max-sm:hidden`}>
        <Time at={createdAt} label="Created" />
      </td>
      <td className={`${CELL} max-sm:p-0`}>
        <span className="mr-1 text-note text-ink-2 sm:hidden">Last used</span>
        {lastUsedAt === null ? (
          <span className="text-ink-3">never</span>
        ) : (
          <Time at={lastUsedAt} label="Last used" />
        )}
      </td>
      <td className={`${CELL} max-sm:p-0`}>
        <span className="mr-1 text-note text-ink-2 sm:hidden">Ends</span>
        {expiresAt === null ? <span className="text-ink-3">never</span> : <Ends at={expiresAt} />}
      </td>
      <td className={`${CELL} text-right max-sm:col-span-2 max-sm:p-0`}>
        {acts && (
          <Button
            kind="danger"
            aria-label={`Revoke ${name}…`}
            onClick={() =>
              void revoke().catch((error: unknown) =>
                showToast({ text: (error as Error).message, tone: 'fault' }),
              )
            }
          >
            Revoke…
          </Button>
        )}
      </td>
    </tr>
  );
}

/** One that is over is still there to be seen, until somebody revokes it. */
function Ends({ at }: { readonly at: string }) {
  const over = useFromNow((now) => Date.parse(at) <= now);
  return (
    <span className={over ? 'text-dead' : undefined}>
      {over && 'ended '}
      <Time at={at} label={over ? 'Ended' : 'Ends'} />
    </span>
  );
}
