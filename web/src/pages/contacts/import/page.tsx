import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiError } from '../../../api/client';
import { contactsChanged, ofContactsStanding, ofImport, stopImport } from '../../../api/contacts';
import type { Import } from '../../../api/types';
import { Button, buttonLook } from '../../../parts/button';
import { Changing } from '../../../parts/changing';
import { confirm } from '../../../parts/confirm';
import { Empty } from '../../../parts/empty';
import { Failure } from '../../../parts/failure';
import { faultWords } from '../../../parts/fault-words';
import { counted, numberWords } from '../../../parts/number-words';
import { usePhone } from '../../../parts/media';
import { Panel } from '../../../parts/panel';
import { Plate } from '../../../parts/plate';
import { SkeletonRows } from '../../../parts/skeleton';
import { showToast } from '../../../parts/toast';
import { Untrusted } from '../../../parts/untrusted';
import { useUntouched } from '../../../parts/untouched';
import { visible } from '../../../parts/visible';
import { useMayAct } from '../../../shell/may-act';
import { TopBar } from '../../../shell/top-bar';
import { ContactCards, ContactTable } from '../table';
import { Bar } from './bar';
import { ColumnsToChoose } from './columns';
import { ColumnsChosen } from './columns-chosen';
import { DropPlace } from './drop-place';
import { LeftOut } from './left-out';
import { NewRows } from './new-rows';
import { useComing } from './use-coming';

const WITHIN = { label: 'Contacts', to: '/contacts' };

interface Props {
  readonly id: string;
  readonly reason: string | undefined;
  readonly cursor: string | undefined;
}

/** How many are in, which lines are bad and why. It lives on the server: this page only looks. */
export function ImportPage({ id, reason, cursor }: Props) {
  const { data, error, refetch } = useQuery(ofImport(id));
  const may = useMayAct('send');
  useFinished(data);
  if (!data)
    return (
      <>
        <TopBar title={error ? 'Not found' : ''} within={WITHIN} />
        <div className="p-5 max-sm:p-3.5">
          {error instanceof ApiError && error.status === 404 ? (
            <Empty
              title="There is no such import."
              actions={
                <Link
                  to="/contacts/$contactId"
                  params={{ contactId: 'import' }}
                  className={buttonLook('primary')}
                >
                  Show all imports
                </Link>
              }
            />
          ) : error ? (
            <Failure error={error} what="this import" onRetry={() => void refetch()} />
          ) : (
            <SkeletonRows rows={6} />
          )}
        </div>
      </>
    );
  const title = data.fileName === null ? 'Import' : `Import of ${visible(data.fileName)}`;
  return (
    <DropPlace may={may}>
      <TopBar title={title} within={WITHIN} />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        <Plate
          {...data.plate}
          sentence={visible(data.plate.sentence)}
          evidence={visible(data.plate.evidence)}
          action={<PlateAction known={data} />}
          cells={[<ContactsNow key="now" />]}
        />
        {data.state === 'mapping' ? (
          <ColumnsToChoose known={data} />
        ) : (
          <>
            <Progress known={data} />
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <ColumnsChosen known={data} />
              <LeftOut known={data} reason={reason} cursor={cursor} />
            </div>
            <ItsContacts known={data} />
          </>
        )}
      </div>
    </DropPlace>
  );
}

const SHOWN = 5;
/** The page itself scrolls. */
const NO_PANE = { current: null };

/** The last of those whom it brought, as they come. */
function ItsContacts({ known: { id } }: { readonly known: Import }) {
  const { untouched, touch } = useUntouched(NO_PANE);
  const { rows, waiting, show } = useComing({ importId: id }, { limit: SHOWN, free: untouched });
  const phone = usePhone();
  const items = rows?.items ?? [];
  if (items.length === 0) return null;
  const Rows = phone ? ContactCards : ContactTable;
  return (
    <Panel
      title="Its contacts"
      note="the last ones first"
      aside={
        <span className="flex items-center gap-3">
          <NewRows waiting={waiting} onShow={show} />
          <Link to="/contacts" search={{ importId: id }} className="text-table no-underline hover:underline">
            All of them
          </Link>
        </span>
      }
    >
      <div {...touch}>
        <Rows items={items} ofFile />
      </div>
    </Panel>
  );
}

/** How many people there are, with those that are in by now. */
function ContactsNow() {
  const { data } = useQuery(ofContactsStanding());
  return (
    <span className="text-note text-ink-2">
      <span className="block">Contacts now</span>
      <strong className="figures block text-title text-ink">
        {data === undefined ? '…' : `${data.isAll ? '' : 'over '}${numberWords(data.contacts)}`}
      </strong>
    </span>
  );
}

/** When it ends, what other pages know of contacts is old. */
function useFinished(known: Import | undefined): void {
  const before = useRef(known?.state);
  useEffect(() => {
    if (before.current === 'running' && known?.state !== 'running') contactsChanged();
    before.current = known?.state;
  }, [known?.state]);
}

function PlateAction({ known }: { readonly known: Import }) {
  const may = useMayAct('send');
  const { id, state, lines, done } = known;
  if (state === 'done' || state === 'stopped')
    return (
      <Link to="/contacts" search={{ importId: id }} className={buttonLook()}>
        Show its contacts
      </Link>
    );
  if (!may) return null;
  const rest = lines - done;
  const stop = async () => {
    const sure = await confirm({
      title: state === 'mapping' ? 'Throw this file away?' : `Stop with ${counted(rest, 'line')} left?`,
      text:
        state === 'mapping'
          ? 'Nothing of it is in, and nothing of it is kept. It can be uploaded again.'
          : 'What is in stays in. The rest of the file is thrown away; uploading it again goes through all of it.',
      action: state === 'mapping' ? 'Throw it away' : 'Stop here',
    });
    if (sure) await stopImport(id);
  };
  return (
    <Button
      onClick={() =>
        void stop().catch((error: unknown) => showToast({ text: faultWords(error), tone: 'fault' }))
      }
    >
      {state === 'mapping' ? 'Throw it away…' : 'Stop here…'}
    </Button>
  );
}

const QUARTERS = 4;

function Progress({ known }: { readonly known: Import }) {
  const { lines, done, imported, updated, rejected, suppressed, campaign, enrolled, id, state } = known;
  const { linesPerSecond } = known;
  const quarter = lines === 0 ? QUARTERS : Math.floor((done / lines) * QUARTERS);
  return (
    <section aria-label="Progress" className="rounded-panel border border-line bg-surface px-3.5 py-3">
      <Bar value={done} max={Math.max(lines, 1)} label="Lines of the file that are done" />
      <div className="mt-2 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-table">
        <span>
          <Link to="/contacts" search={{ importId: id }} className="font-semibold">
            <Changing value={imported}>{numberWords(imported)}</Changing>
          </Link>{' '}
          new
        </span>
        <span>
          <strong>
            <Changing value={updated}>{numberWords(updated)}</Changing>
          </strong>{' '}
          updated
        </span>
        <span>
          <strong>
            <Changing value={rejected}>{numberWords(rejected)}</Changing>
          </strong>{' '}
          left out
        </span>
        {campaign && (
          <span className="wrap-anywhere">
            <Link
              to="/campaigns/$campaignId/$part"
              params={{ campaignId: campaign.id, part: 'people' }}
              className="font-semibold"
            >
              <Changing value={enrolled}>{numberWords(enrolled)}</Changing>
            </Link>{' '}
            put into <Untrusted text={campaign.name} />
          </span>
        )}
        {suppressed > 0 && (
          <span className="text-ink-2">
            {numberWords(suppressed)} {suppressed === 1 ? 'is' : 'are'} suppressed or unsubscribed: kept, and
            still not written to
          </span>
        )}
        <span className="figures ml-auto text-ink-2">
          {numberWords(done)} of {counted(lines, 'line')}
          {linesPerSecond !== null && `, ${numberWords(linesPerSecond)} a second`}
        </span>
      </div>
      {/* Announced at each quarter, not at each line. */}
      <p role="status" className="sr-only">
        {state === 'running' && quarter > 0 && `${String((100 / QUARTERS) * quarter)} % are done.`}
      </p>
    </section>
  );
}
