import type { LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';

interface Props {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children: ReactNode;
}

/** Something about a mail, beside it. */
export function MailCard({ icon: Icon, title, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-panel border border-line bg-surface">
      <h3 id={id} className="flex items-center gap-2.5 border-b border-line px-3.5 py-2.5">
        <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
        {title}
      </h3>
      <div className="px-3.5 py-2.5 text-table">{children}</div>
    </section>
  );
}
