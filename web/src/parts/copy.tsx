import { Copy as Icon } from 'lucide-react';
import { showToast } from './toast';

/** False: the browser does not allow it. On a page that came without TLS it has no clipboard for us at all. */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** `name` as in "Copied the link." */
export function copy(text: string, name: string): void {
  void toClipboard(text).then((copied) =>
    showToast(
      copied ? { text: `Copied ${name}.` } : { text: 'The browser did not allow copying.', tone: 'fault' },
    ),
  );
}

/** One of the few icons without a word. */
export const CopyButton = ({ text, name }: { readonly text: string; readonly name: string }) => (
  <button
    type="button"
    aria-label={`Copy ${name}`}
    onClick={() => copy(text, name)}
    className="inline-grid size-6 place-items-center rounded-control text-ink-2 hover:bg-hover hover:text-ink coarse:size-11"
  >
    <Icon size={14} strokeWidth={1.75} aria-hidden />
  </button>
);
