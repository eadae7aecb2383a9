import { useRef } from 'react';
import { SaveBar } from './save-bar';

/** What is edited on a page: nothing is saved until a person says so, in the bar below it or by Enter. */
export function SaveForm({
  changed,
  busy,
  onDiscard,
  onSave,
  action,
  effect,
  wide = false,
  children,
}: React.ComponentProps<typeof SaveBar> & {
  readonly children: React.ReactNode;
  /** As wide as the page, for what is more than fields. */
  readonly wide?: boolean;
}) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <form
      ref={form}
      className={`flex min-w-0 flex-col gap-4 ${wide ? '' : 'max-w-4xl'}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (action !== null) onSave();
      }}
    >
      {children}
      {/* By way of the form, so that the browser has its say about the fields. */}
      <SaveBar
        changed={changed}
        busy={busy}
        onDiscard={onDiscard}
        onSave={() => {
          takeTyped(form.current);
          // Once what was typed is taken, and drawn.
          setTimeout(() => form.current?.requestSubmit());
        }}
        {...(action !== undefined && { action })}
        {...(effect !== undefined && { effect })}
      />
    </form>
  );
}

/** What is being typed counts when somebody saves by a key: some fields take it only when they are left. */
function takeTyped(form: HTMLFormElement | null): void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !form?.contains(activeElement)) return;
  activeElement.blur();
  activeElement.focus();
}
