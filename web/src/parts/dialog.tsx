import { useCallback, useId, useState, type ReactNode } from 'react';
import { X } from 'lucide-react';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  /** Cannot be closed without an answer. */
  readonly insists?: boolean;
}

/**
 * The browser's own modal dialog: it traps the focus, gives it back, closes on Escape and makes the page behind it
 * inert, without a style sheet of its own, which our content security policy would refuse. What is in it comes once it
 * is shown: before that nothing can have the focus, and `autoFocus` would be lost.
 */
export function Dialog({ title, onClose, children, footer, insists = false }: Props) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const show = useCallback((dialog: HTMLDialogElement) => {
    const before = document.activeElement;
    dialog.showModal();
    setShown(true);
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={show}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!insists) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && !insists) onClose();
      }}
      className="m-auto w-full max-w-lg animate-rise rounded-panel border border-line bg-surface p-0 text-ink shadow-float backdrop:bg-black/40 max-sm:mb-0 max-sm:max-w-none"
    >
      {shown && (
        <>
          <div className="flex items-start gap-4 border-b border-line px-5 py-3.5">
            <h2 id={id} className="min-w-0 flex-1 text-title wrap-anywhere">
              {title}
            </h2>
            {!insists && (
              <button
                type="button"
                aria-label="Close"
                onClick={onClose}
                className="-m-1 p-1 text-ink-2 hover:text-ink"
              >
                <X size={16} strokeWidth={1.75} />
              </button>
            )}
          </div>
          <div className="px-5 py-4">{children}</div>
          {footer !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div>
          )}
        </>
      )}
    </dialog>
  );
}
