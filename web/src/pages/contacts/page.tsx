import { useParams, useSearch } from '@tanstack/react-router';
import { ContactDetail } from './detail';
import { ImportsPage } from './import/list';
import { ImportPage } from './import/page';
import { ContactList } from './list';

export function ContactsPage() {
  const { contactId, importId } = useParams({ strict: false });
  const { reason, cursor, ...filter } = useSearch({ strict: false });
  if (importId !== undefined) return <ImportPage key={importId} id={importId} {...{ reason, cursor }} />;
  if (contactId === 'import') return <ImportsPage cursor={cursor} />;
  if (contactId !== undefined) return <ContactDetail key={contactId} id={contactId} />;
  const { q, importId: from, campaignId } = filter;
  return <ContactList filter={{ q, importId: from, campaignId }} cursor={cursor} />;
}
