import { useNavigate } from '@tanstack/react-router';
import { contactsChanged, deleteContact, erasePerson } from '../../api/contacts';
import type { Contact } from '../../api/types';
import { Button } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { faultWords } from '../../parts/fault-words';
import { counted } from '../../parts/number-words';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';
import { useMay } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { nameOf } from './contact-words';

const failed = (error: unknown) => showToast({ text: faultWords(error), tone: 'fault' });

interface Props {
  readonly contact: Contact;
  /** In how many campaigns the person is now. */
  readonly open: number;
}

/** Two ends: the list forgets somebody, or everything does. */
export function ContactActions({ contact, open }: Props) {
  const sender = useMay('send');
  const admin = useMay('admin');
  const offline = useOffline();
  const navigate = useNavigate();
  const name = visible(nameOf(contact));
  const leave = async (text: string) => {
    showToast({ text });
    await navigate({ to: '/contacts', ignoreBlocker: true });
    contactsChanged();
  };
  const ends = open === 0 ? '' : ` and end ${counted(open, 'sequence')}`;
  const remove = async () => {
    const sure = await confirm({
      title: `Delete ${name}${ends}?`,
      text: `${
        open === 0
          ? 'No sequence waits for this person.'
          : `What waits in ${counted(open, 'campaign')} is cancelled.`
      } Mail that was sent stays in the queue’s history; an unsubscription stays known. It cannot be undone.`,
      action: `Delete${ends}`,
    });
    if (!sure) return;
    await deleteContact(contact.id);
    await leave(`Deleted ${name}.`);
  };
  const erase = async (email: string) => {
    const sure = await confirm({
      title: `Erase ${visible(email)}?`,
      text: 'All mail to this address is blanked, here and in the history; what waits is cancelled; the contact is deleted. That the address must not be written to survives as a keyed hash. It cannot be undone.',
      action: 'Erase everything',
      type: email,
    });
    if (!sure) return;
    const { messages, cancelled } = await erasePerson(email);
    await leave(`Erased: ${counted(messages, 'mail')} blanked, ${counted(cancelled, 'mail')} cancelled.`);
  };
  if (offline !== undefined || !sender) return null;
  const { email } = contact;
  return (
    <>
      <Button kind="danger" onClick={() => void remove().catch(failed)}>
        Delete{ends}…
      </Button>
      {admin && email !== null && (
        <Button kind="danger" onClick={() => void erase(email).catch(failed)}>
          Erase everything about this address…
        </Button>
      )}
    </>
  );
}
