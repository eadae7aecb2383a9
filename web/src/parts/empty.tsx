import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
  /** What to do next. */
  readonly actions?: ReactNode;
  readonly drawing?: ReactNode;
}

/** Nothing yet, nothing matches, or nothing wrong: says which, and what to do next. */
export function Empty({ title, children, actions, drawing }: Props) {
  return (
    <div className="mx-auto flex max-w-2xl flex-col items-center gap-5 px-6 py-14 text-center">
      {drawing}
      <div>
        <h2 className="text-sentence font-[680]">{title}</h2>
        {children !== undefined && <div className="mx-auto mt-1 max-w-prose text-ink-2">{children}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
