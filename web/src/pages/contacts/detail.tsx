import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api/client';
import { ofCampaignsOfContact, ofContact, ofWillingness } from '../../api/contacts';
import type { Contact, Willingness } from '../../api/types';
import { buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { StateGlyph } from '../../parts/glyphs';
import { Panel } from '../../parts/panel';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { TopBar } from '../../shell/top-bar';
import { ContactActions } from './actions';
import { ContactForm } from './contact-form';
import { nameOf, SUPPRESSION_WORDS } from './contact-words';
import { Enrolments } from './enrolments';
import { MailHistory } from './mail-history';

const WITHIN = { label: 'Contacts', to: '/contacts' };

/** Would we write to this person, and what has happened so far. */
export function ContactDetail({ id }: { readonly id: string }) {
  const { data: contact, error, refetch } = useQuery(ofContact(id));
  const campaigns = useQuery(ofCampaignsOfContact(id));
  if (!contact)
    return (
      <>
        <TopBar title={error ? 'Not found' : ''} within={WITHIN} />
        <div className="p-5 max-sm:p-3.5">
          {error instanceof ApiError && error.status === 404 ? (
            <Gone />
          ) : error ? (
            <Failure error={error} what="this contact" onRetry={() => void refetch()} />
          ) : (
            <SkeletonRows rows={6} />
          )}
        </div>
      </>
    );
  const open = (campaigns.data?.items ?? []).filter(
    ({ status }) => status === 'active' || status === 'paused',
  );
  return (
    <>
      <TopBar title={visible(nameOf(contact))} within={WITHIN} />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        <Asked contact={contact} />
        <div className="flex flex-wrap justify-end gap-2 empty:hidden">
          <ContactActions contact={contact} open={open.length} />
        </div>
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <ContactForm key={contact.updatedAt} contact={contact} />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <Enrolments query={campaigns} />
            <MailHistory contact={contact} />
          </div>
        </div>
      </div>
    </>
  );
}

/** From the code that decides, when a mail is about to leave, whether it may. */
function Asked({ contact }: { readonly contact: Contact }) {
  const { email, linkedinId } = contact;
  const { data } = useQuery({ ...ofWillingness(email ?? ''), enabled: email !== null });
  if (email === null)
    return (
      <Plate
        sentence="No mail can be written to this person: there is no address."
        evidence={linkedinId === null ? undefined : 'LinkedIn steps of a sequence still leave.'}
        level="look"
      />
    );
  if (!data) return <div className="h-20" />;
  return (
    <>
      <Plate
        level={data.lanes.every(({ writes }) => writes) ? 'fine' : 'look'}
        sentence={visible(data.sentence)}
        evidence={<Known contact={contact} />}
      />
      {data.lanes.some(({ writes }) => !writes) && <Lanes willingness={data} />}
    </>
  );
}

const Known = ({ contact: { createdAt, importId } }: { readonly contact: Contact }) => (
  <>
    Known since <Time at={createdAt} label="Added" />
    {importId !== null && (
      <>
        ,{' '}
        <Link to="/contacts/import/$importId" params={{ importId }}>
          from a file
        </Link>
      </>
    )}
    .
  </>
);

const LANE_WORDS = { outbox: 'Single mail', campaign: 'Campaigns', notification: 'Notifications' };

const Lanes = ({ willingness: { lanes } }: { readonly willingness: Willingness }) => (
  <Panel title="Lane by lane">
    <ul>
      {lanes.map(({ lane, writes, writesTransactional, reason, since }) => (
        <li
          key={lane}
          className="flex flex-wrap items-center gap-x-2 gap-y-0.5 border-t border-line px-3.5 py-2 text-table first:border-t-0"
        >
          <StateGlyph state={writes ? 'sent' : 'skipped'} />
          <strong className="w-28">{LANE_WORDS[lane]}</strong>
          <span>
            {writes
              ? 'We would write.'
              : `We do not write: ${reason === null ? '' : SUPPRESSION_WORDS[reason]}`}
            {since !== null && (
              <>
                , since <Time at={since} />
              </>
            )}
            {!writes && writesTransactional && '. Transactional mail still leaves.'}
          </span>
        </li>
      ))}
    </ul>
  </Panel>
);

const Gone = () => (
  <Empty
    title="There is no such contact."
    actions={
      <Link to="/contacts" className={buttonLook('primary')}>
        Show all contacts
      </Link>
    }
  >
    It may have been deleted, or erased on request.
  </Empty>
);
