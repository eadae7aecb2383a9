import { useId, type ReactNode } from 'react';
import { classNames } from './class-names';

interface Props {
  readonly title: string;
  readonly note?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A part of a page with its heading. */
export function Panel({ title, note, aside, children, className }: Props) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classNames('min-w-0 rounded-panel border border-line bg-surface', className)}
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3.5 py-2">
        <h2 id={id} className="min-w-0 wrap-anywhere">
          {title}
        </h2>
        {note !== undefined && <span className="text-note text-ink-2">{note}</span>}
        {aside !== undefined && <div className="ml-auto flex items-center gap-3">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
