import { Link } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Message } from '../../../api/types';
import { Button, buttonLook } from '../../../parts/button';
import { copy } from '../../../parts/copy';
import { useMay } from '../../../session';
import { useOffline } from '../../../shell/live-indicator';
import { decide, useLeaving } from '../decide';
import { decisionsIn, type Decision } from '../decisions';

const BUTTONS: Record<Decision, { readonly words: string; readonly key?: string }> = {
  retry: { words: 'Retry', key: 'r' },
  dismiss: { words: 'Dismiss', key: 'd' },
  cancel: { words: 'Cancel…', key: 'c' },
  sent: { words: 'It was sent' },
  again: { words: 'Send it again…' },
};

/** Whether this person may decide anything here and now. */
export function useMayDecide(): boolean {
  const may = useMay('operate');
  return useOffline() === undefined && may;
}

/** What the state and the role allow, and nothing else. */
export function Actions({ message, large = false }: { readonly message: Message; readonly large?: boolean }) {
  const may = useMayDecide();
  const leaving = useLeaving().has(message.id);
  const decisions = may && !leaving ? decisionsIn(message.state) : [];
  return (
    <div className={large ? 'flex flex-col gap-2.5' : 'flex flex-wrap items-center gap-2'}>
      {decisions.map((decision, n) => (
        <Button
          key={decision}
          kind={n === 0 && decision !== 'cancel' ? 'primary' : 'plain'}
          {...(BUTTONS[decision].key !== undefined && !large && { hint: BUTTONS[decision].key })}
          onClick={() => void decide(message, decision)}
          className={large ? 'min-h-12! text-title!' : ''}
        >
          {BUTTONS[decision].words}
          {decision === 'dismiss' && message.state === 'held' && '…'}
        </Button>
      ))}
      <Note message={message} leaving={leaving} large={large} />
      {!large && <Ways message={message} />}
    </div>
  );
}

function Note({
  message: { state },
  leaving,
  large,
}: {
  readonly message: Message;
  readonly leaving: boolean;
  readonly large: boolean;
}): ReactNode {
  const words = leaving
    ? 'It is being dismissed.'
    : state === 'sending'
      ? 'Nothing can be decided while a worker has it.'
      : state === 'held' && large
        ? '“Sent” ends it here. “Again” may give two copies with the same Message-ID.'
        : undefined;
  return words !== undefined && <p className="text-table text-ink-2 max-sm:text-center">{words}</p>;
}

function Ways({ message }: { readonly message: Message }) {
  return (
    <>
      <Button kind="quiet" className="px-1.5!" onClick={() => copy(location.href, 'the link')}>
        <Link2 size={14} strokeWidth={1.75} aria-hidden />
        Copy link
      </Button>
      <Link to="/queue" search={{ to: message.to.email }} className={`${buttonLook('quiet')} px-1.5!`}>
        All mail to this address
      </Link>
    </>
  );
}
