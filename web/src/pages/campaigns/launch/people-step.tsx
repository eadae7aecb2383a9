import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { enrol, enrolAll, ofContacts } from '../../../api/campaigns';
import type { CampaignDetail, Contact } from '../../../api/types';
import { Button, buttonLook } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { Failure } from '../../../parts/failure';
import { faultWords } from '../../../parts/fault-words';
import { numberWords } from '../../../parts/number-words';
import { Pager } from '../../../parts/pager';
import { SkeletonRows } from '../../../parts/skeleton';
import { showToast } from '../../../parts/toast';
import { Untrusted } from '../../../parts/untrusted';
import { visible } from '../../../parts/visible';
import { Door } from '../hold-up';

interface Props {
  readonly campaign: CampaignDetail;
  readonly q: string | undefined;
  readonly cursor: string | undefined;
  /** The address of the list itself. */
  readonly at: string;
  /** Somebody was added. */
  readonly onAdded?: (added: number) => Promise<void>;
  /** What comes after it. */
  readonly children?: React.ReactNode;
}

export const people = (n: number): string => (n === 1 ? '1 person' : `${numberWords(n)} people`);

/** Who is written to: some by hand, or all that a search finds. */
export function PeopleStep({ campaign, q, cursor, at, onAdded, children }: Props) {
  const { data, error, refetch } = useQuery(ofContacts({ q, cursor }));
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [working, setWorking] = useState<string>();
  const add = async (work: () => Promise<{ readonly enrolled: number; readonly skipped: number }>) => {
    setWorking('Adding');
    try {
      const { enrolled, skipped } = await work();
      const known =
        skipped === 0 ? '' : ` ${people(skipped)} ${skipped === 1 ? 'was' : 'were'} in it already.`;
      showToast({ text: `Added ${people(enrolled)}.${known}` });
      setTicked(new Set());
      if (enrolled > 0) await onAdded?.(enrolled);
    } catch (fault) {
      showToast({ text: faultWords(fault), tone: 'fault' });
    } finally {
      setWorking(undefined);
    }
  };
  const toggle = (ids: readonly string[], on: boolean) => {
    const next = new Set(ticked);
    for (const id of ids)
      if (on) next.add(id);
      else next.delete(id);
    setTicked(next);
  };
  if (error && !data) return <Failure error={error} what="the contacts" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={6} />;
  if (data.items.length === 0 && q === undefined)
    return (
      <Empty
        title="No contact yet."
        actions={
          <Door to="/contacts" className={buttonLook('primary')}>
            Import people
          </Door>
        }
      >
        People come from a CSV, or by the API. Then they can be chosen here.
      </Empty>
    );
  return (
    <>
      <section aria-label="Contacts" className="min-w-0 rounded-panel border border-line bg-surface">
        <div className="flex flex-wrap items-center gap-3 border-b border-line px-3.5 py-2">
          <SearchContacts at={at} q={q} />
          <span className="ml-auto flex flex-wrap gap-2">
            {ticked.size > 0 && (
              <Button
                busy={working !== undefined}
                onClick={() => void add(() => enrol(campaign.id, [...ticked]))}
              >
                Add {people(ticked.size)}
              </Button>
            )}
            <Button
              busy={working !== undefined}
              onClick={() =>
                void add(() =>
                  enrolAll(campaign.id, q, (done, looked) =>
                    setWorking(`${numberWords(done)} of ${numberWords(looked)} added`),
                  ),
                )
              }
            >
              {working ?? (q === undefined ? 'Add everybody' : 'Add all that match')}
            </Button>
          </span>
        </div>
        {data.items.length === 0 ? (
          <p className="px-3.5 py-6 text-ink-2">No contact matches. Drop the search to see all.</p>
        ) : (
          <Contacts items={data.items} ticked={ticked} onToggle={toggle} />
        )}
      </section>
      <Pager
        to={at}
        search={q === undefined ? {} : { q }}
        cursor={cursor}
        next={data.nextCursor}
        words={['First', 'Next']}
      />
      <div className="flex flex-wrap items-center gap-3">
        {children}
        <span className="text-ink-2">
          {campaign.people === 0 ? (
            'Nobody is in it yet.'
          ) : (
            <>
              <Link
                to="/campaigns/$campaignId/$part"
                params={{ campaignId: campaign.id, part: 'people' }}
                className="underline underline-offset-3"
              >
                {people(campaign.people)}
              </Link>{' '}
              {campaign.people === 1 ? 'is' : 'are'} in it.
            </>
          )}
        </span>
      </div>
    </>
  );
}

function SearchContacts({ at, q }: { readonly at: string; readonly q: string | undefined }) {
  const [text, setText] = useState(q ?? '');
  const navigate = useNavigate();
  return (
    <form
      role="search"
      aria-label="Contacts"
      onSubmit={(event) => {
        event.preventDefault();
        const words = text.trim().slice(0, 100);
        void navigate({ to: at, search: words === '' ? {} : { q: words } });
      }}
    >
      <input
        type="search"
        aria-label="Search contacts"
        placeholder="Name or address"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-8 w-56 max-w-full rounded-control border border-line-strong bg-surface px-2.5 text-table placeholder:text-ink-3 coarse:h-11"
      />
    </form>
  );
}

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1.5 align-middle wrap-anywhere';

interface ContactsProps {
  readonly items: readonly Contact[];
  readonly ticked: ReadonlySet<string>;
  readonly onToggle: (ids: readonly string[], on: boolean) => void;
}

const Contacts = ({ items, ticked, onToggle }: ContactsProps) => (
  <table className="w-full text-table">
    <thead>
      <tr>
        <th className={`${HEAD} w-10 pr-0`}>
          <input
            type="checkbox"
            aria-label="Select the page"
            className="size-4 accent-primary coarse:size-6"
            checked={items.every(({ id }) => ticked.has(id))}
            onChange={(event) =>
              onToggle(
                items.map(({ id }) => id),
                event.target.checked,
              )
            }
          />
        </th>
        <th className={HEAD}>Person</th>
        <th className={`${HEAD} max-sm:hidden`}>Time zone</th>
        <th className={HEAD}>Written to</th>
      </tr>
    </thead>
    <tbody>
      {items.map(({ id, name, email, timezone, suppression }) => (
        <tr key={id} className="border-t border-line">
          <td className={`${CELL} pr-0`}>
            <input
              type="checkbox"
              aria-label={`Select ${visible(name ?? email ?? id)}`}
              className="size-4 accent-primary coarse:size-6"
              checked={ticked.has(id)}
              onChange={(event) => onToggle([id], event.target.checked)}
            />
          </td>
          <td className={CELL}>
            <strong className="block">
              <Untrusted text={name ?? email ?? id} />
            </strong>
            <span className="block text-note text-ink-2">
              {name !== null && (email === null ? 'no address' : <Untrusted text={email} />)}
            </span>
          </td>
          <td className={`${CELL} text-ink-2 max-sm:hidden`}>{timezone}</td>
          <td className={`${CELL} text-ink-2`}>
            {suppression ? `no: ${suppression.reason.replaceAll('_', ' ')}` : 'yes'}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
