import { sentence } from '../decisions';

/** Contents are forgotten after the retention time; the server says so. */
export const Gone = ({ error }: { readonly error: unknown }) => (
  <p className="py-3 text-ink-2">{sentence(error instanceof Error ? error.message : String(error))}</p>
);
