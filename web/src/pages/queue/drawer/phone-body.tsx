import { Braces, Code, HistoryIcon, ShieldCheck, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { MessageDetail } from '../../../api/types';
import { Actions } from './actions';
import { History } from './history-list';
import { Preview } from './preview';
import { Headers, Json, Raw } from './source';
import { Timeline } from './timeline';
import { Why } from './why';

/** On a phone the reason, the tries and the decision come one after the other; the rest is folded. */
export const PhoneBody = ({ message }: { readonly message: MessageDetail }) => (
  <div className="mt-3 flex flex-col gap-3">
    <Why message={message} />
    <div className="rounded-panel border border-line px-3.5 pt-3">
      <Timeline message={message} />
    </div>
    <Actions message={message} large />
    <div className="rounded-panel border border-line">
      <Folded icon={ShieldCheck} title="Safe preview">
        <Preview id={message.id} />
      </Folded>
      <Folded icon={Code} title="Headers and raw">
        <Headers id={message.id} />
        <Raw id={message.id} />
      </Folded>
      <Folded icon={Braces} title="JSON">
        <Json message={message} />
      </Folded>
      <Folded icon={HistoryIcon} title="History">
        <History message={message} />
      </Folded>
    </div>
  </div>
);

/** Not asked for before it is opened. */
function Folded({
  icon: Icon,
  title,
  children,
}: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  return (
    <details
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="border-b border-line last:border-0"
    >
      <summary className="flex min-h-12 items-center gap-2.5 px-3.5 font-semibold">
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        {title}
      </summary>
      {open && <div className="flex flex-col gap-3 px-3.5 pb-3.5">{children}</div>}
    </details>
  );
}
