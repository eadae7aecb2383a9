import { faultWords } from '../../../parts/fault-words';

/** Contents are forgotten after the retention time; the server says so. */
export const Gone = ({ error }: { readonly error: unknown }) => (
  <p className="py-3 text-ink-2">{faultWords(error)}</p>
);
