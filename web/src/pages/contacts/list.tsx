import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ofContactsStanding, ofImport, type ContactFilter } from '../../api/contacts';
import type { ContactsStanding } from '../../api/types';
import { Button, buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { FindField } from '../../parts/find-field';
import { usePhone } from '../../parts/media';
import { Pager } from '../../parts/pager';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { useRowKeys } from '../../parts/row-keys';
import { useUntouched } from '../../parts/untouched';
import { useSelection } from '../../parts/use-selection';
import { visible } from '../../parts/visible';
import { useMayAct } from '../../shell/may-act';
import { TopBar } from '../../shell/top-bar';
import { AddContact } from './add-contact';
import { BulkBar } from './bulk-bar';
import { ContactCards, ContactTable } from './table';
import { DropPlace } from './import/drop-place';
import { NewRows } from './import/new-rows';
import { useComing } from './import/use-coming';

const given = ({ q, importId, campaignId }: ContactFilter): Record<string, string> => ({
  ...(q !== undefined && { q }),
  ...(importId !== undefined && { importId }),
  ...(campaignId !== undefined && { campaignId }),
});

/** The page itself scrolls. */
const NO_PANE = { current: null };

/** Who is known, and which file waits. */
export function ContactList({
  filter,
  cursor,
}: {
  readonly filter: ContactFilter;
  readonly cursor: string | undefined;
}) {
  const standing = useQuery(ofContactsStanding());
  const may = useMayAct('send');
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  const phone = usePhone();
  useRowKeys('contact');
  const show = (next: ContactFilter) => void navigate({ to: '/contacts', search: given(next) });
  const filtered = Object.keys(given(filter)).length > 0;
  const mayChoose = useMayAct('operate');
  const { untouched, touch } = useUntouched(NO_PANE);
  const [chosen, choosing] = useState(false);
  const { list, rows, waiting, show: showNew } = useComing(filter, { cursor, free: untouched && !chosen });
  const items = rows?.items ?? [];
  const choose = useSelection(
    'contact',
    items.map(({ id }) => id),
    cursor,
    mayChoose,
  );
  const anyChosen = choose !== undefined && choose.ids.size > 0;
  if (anyChosen !== chosen) choosing(anyChosen);
  const none = rows !== undefined && !list.isPlaceholderData && items.length === 0;
  const first = none && !filtered && cursor === undefined;
  const actions = may && (
    <span className="flex gap-2">
      <Button onClick={() => setAdding(true)}>Add contact</Button>
      <Link to="/contacts/$contactId" params={{ contactId: 'import' }} className={buttonLook('primary')}>
        Import CSV
      </Link>
    </span>
  );
  return (
    <DropPlace may={may}>
      <TopBar title="Contacts" actions={!phone && actions} />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {standing.data
          ? !first && <StandingPlate standing={standing.data} />
          : standing.error && (
              <Failure error={standing.error} what="the contacts" onRetry={() => void standing.refetch()} />
            )}
        {phone && actions}
        {first ? (
          <NoContact may={may} onAdd={() => setAdding(true)} />
        ) : (
          <section aria-label="Contacts" className="rounded-panel border border-line bg-surface">
            <div
              role="search"
              aria-label="Filters"
              className="flex flex-wrap items-center gap-2 border-b border-line px-3.5 py-2"
            >
              <FindField
                label="Name, address or LinkedIn id"
                value={filter.q ?? ''}
                onFind={(q) => show({ ...filter, q: q === '' ? undefined : q })}
              />
              {filter.importId !== undefined && (
                <ImportChip id={filter.importId} onDrop={() => show({ ...filter, importId: undefined })} />
              )}
              {waiting > 0 && (
                <span className="order-last ml-auto">
                  <NewRows
                    waiting={waiting}
                    onShow={() => {
                      showNew();
                      scrollTo({ top: 0 });
                    }}
                  />
                </span>
              )}
              {filter.campaignId !== undefined && (
                <Chip
                  name="Campaign"
                  value={filter.campaignId}
                  onDrop={() => show({ ...filter, campaignId: undefined })}
                />
              )}
            </div>
            {rows ? (
              none ? (
                <NoMatch
                  further={rows.nextCursor}
                  filter={filter}
                  beyond={cursor !== undefined}
                  onClear={() => show({})}
                />
              ) : (
                <div {...touch} className={list.isPlaceholderData ? 'opacity-60' : ''}>
                  {phone ? (
                    <ContactCards items={items} selection={choose} />
                  ) : (
                    <ContactTable items={items} selection={choose} ofFile={filter.importId !== undefined} />
                  )}
                </div>
              )
            ) : list.error ? (
              <div className="p-3.5">
                <Failure error={list.error} what="the contacts" onRetry={() => void list.refetch()} />
              </div>
            ) : (
              <SkeletonRows rows={8} />
            )}
          </section>
        )}
        {rows && !none && (
          <Pager to="/contacts" search={given(filter)} cursor={cursor} next={rows.nextCursor} />
        )}
      </div>
      {choose && anyChosen && (
        <div className="sticky bottom-3.5 z-30 px-5 max-sm:bottom-16 max-sm:px-3.5">
          <BulkBar ids={[...choose.ids]} onClear={choose.clear} />
        </div>
      )}
      {adding && <AddContact onClose={() => setAdding(false)} />}
    </DropPlace>
  );
}

function StandingPlate({ standing: { plate, open } }: { readonly standing: ContactsStanding }) {
  const [newest] = open;
  return (
    <Plate
      level={plate.level}
      sentence={visible(plate.sentence)}
      evidence={visible(plate.evidence)}
      {...(newest && {
        action: (
          <Link
            to="/contacts/import/$importId"
            params={{ importId: newest.id }}
            className={buttonLook(newest.state === 'mapping' ? 'primary' : 'plain')}
          >
            {newest.state === 'mapping' ? 'Choose its columns' : 'Look at it'}
          </Link>
        ),
      })}
    />
  );
}

const NoContact = ({ may, onAdd }: { readonly may: boolean; readonly onAdd: () => void }) => (
  <Empty
    title={may ? 'No contact yet. Drop a CSV here, or choose one.' : 'No contact yet.'}
    {...(may && {
      actions: (
        <>
          <Link to="/contacts/$contactId" params={{ contactId: 'import' }} className={buttonLook('primary')}>
            Import CSV
          </Link>
          <Button onClick={onAdd}>Add contact</Button>
        </>
      ),
    })}
  >
    <p>
      Its first line names the columns; one of them is an address or a LinkedIn id. Nothing is mailed by an
      import. Then <Link to="/sequences">write a sequence</Link>.
    </p>
  </Empty>
);

interface NoMatchProps {
  readonly filter: ContactFilter;
  readonly further: string | null;
  readonly beyond: boolean;
  readonly onClear: () => void;
}

function NoMatch({ filter, further, beyond, onClear }: NoMatchProps) {
  if (further !== null)
    return (
      <Empty
        title="None among those looked at so far."
        actions={
          <Link to="/contacts" search={{ ...given(filter), cursor: further }} className={buttonLook()}>
            Look further back
          </Link>
        }
      >
        The question was asked of the newest 5,000.
      </Empty>
    );
  if (beyond)
    return (
      <Empty
        title="Nobody is older than this."
        actions={
          <Link to="/contacts" search={given(filter)} className={buttonLook()}>
            Go to the newest
          </Link>
        }
      />
    );
  return (
    <Empty
      title={filter.q === undefined ? 'Nobody matches.' : `Nobody is found by “${visible(filter.q)}”.`}
      actions={<Button onClick={onClear}>Show all contacts</Button>}
    >
      {filter.q === undefined
        ? 'Drop a filter to see more.'
        : 'Names and houses are found by how their words begin, addresses by how they begin.'}
    </Empty>
  );
}

/** A file by what it is called. */
function ImportChip({ id, onDrop }: { readonly id: string; readonly onDrop: () => void }) {
  const { data } = useQuery({ ...ofImport(id), retry: false });
  return <Chip name="Import" value={data?.fileName ?? id} onDrop={onDrop} />;
}

const Chip = ({
  name,
  value,
  onDrop,
}: {
  readonly name: string;
  readonly value: string;
  readonly onDrop: () => void;
}) => (
  <span className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-control border border-line-strong pl-2.5 text-table wrap-anywhere">
    {name} <strong>{visible(value)}</strong>
    <button
      type="button"
      aria-label={`Drop the filter ${name}`}
      onClick={onDrop}
      className="grid size-7 place-items-center text-ink-2 hover:text-ink coarse:size-11"
    >
      ×
    </button>
  </span>
);
