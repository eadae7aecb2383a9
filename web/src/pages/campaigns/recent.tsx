import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ofRecent } from '../../api/campaigns';
import type { Happenings } from '../../api/types';
import { StateGlyph, STATE_LABELS } from '../../parts/glyphs';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { secondsOf } from '../../time/words';
import { useZone } from '../../time/zone';
import { useAccounts } from './account-names';

type Happening = Happenings['items'][number];

/** The last that happened. It waits while somebody points at it, and is not read out by itself. */
export function Recent({ id }: { readonly id: string }) {
  const { data } = useQuery(ofRecent(id));
  const [still, setStill] = useState<Happenings>();
  const items = (still ?? data)?.items ?? [];
  return (
    <Panel title="As it happens" note={still ? 'waits while you point at it' : 'the last seven'}>
      {items.length === 0 ? (
        <p className="px-3.5 py-4 text-table text-ink-2">Nothing has left yet.</p>
      ) : (
        <ol onPointerEnter={() => setStill(data)} onPointerLeave={() => setStill(undefined)}>
          {items.map((item) => (
            <Line key={`${item.at} ${item.messageId ?? item.contactId ?? ''}`} item={item} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Line({
  item: { at, state, name, email, messageId, step, accountId, note },
}: {
  readonly item: Happening;
}) {
  const zone = useZone();
  const accountOf = useAccounts();
  const who = <Untrusted text={name ?? email ?? 'somebody'} />;
  return (
    <li className="flex items-start gap-3 border-t border-line px-3.5 py-2 text-table first:border-t-0">
      <time dateTime={at} className="figures text-ink-2">
        {secondsOf(Date.parse(at), zone)}
      </time>
      <span className="mt-0.5">
        <StateGlyph state={state} />
        <span className="sr-only">{STATE_LABELS[state]}</span>
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        {messageId === null ? (
          who
        ) : (
          <Link
            to="/queue/$messageId"
            params={{ messageId }}
            className="text-ink no-underline hover:underline"
          >
            {who}
          </Link>
        )}
        {step !== null && `, step ${step}`}
        {accountId !== null && (
          <>
            , <Untrusted text={accountOf(accountId).name} />
          </>
        )}
        {note !== null &&
          (messageId === null ? (
            ` ${note}`
          ) : (
            <>
              {' '}
              <code className="text-mono">
                <Untrusted text={note.slice(0, 120)} />
              </code>
            </>
          ))}
      </span>
    </li>
  );
}
