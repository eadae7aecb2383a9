import { Link } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { Button } from '../../parts/button';
import { copy } from '../../parts/copy';
import { LiveIndicator } from '../../shell/live-indicator';

/** Ready to be run: only the key is the reader's own. */
export const publishSnippet = (origin: string) => `curl ${origin}/api/events \\
  -H "Authorization: Bearer $PILLARBOX_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "type": "seat.opened",
        "topic": "workshop:bread",
        "template": { "id": "open-seat" },
        "payload": {
          "courseTitle": "Bread by the tide table",
          "courseString": "BREAD-1", "sectionNumber": "01",
          "meetingSummary": "Sat 21 Nov, 10:00",
          "termId": "2026-autumn", "campusCode": "PIER",
          "indexNumber": "07", "statusAfter": "Open" } }'`;

/** Nothing yet: what to do first. */
export function FirstEvent() {
  const snippet = publishSnippet(location.origin);
  return (
    <div className="m-auto w-full max-w-[720px] p-6 max-sm:p-3.5">
      <h2 className="text-figure font-[680]">Nothing has happened yet.</h2>
      <p className="mb-3 max-w-prose text-ink-2">
        An event tells everybody who subscribed to its topic. Publish one, and it shows up here with who was
        told. Nobody subscribed yet? <Link to="/subscriptions">Subscribe somebody first</Link>.
      </p>
      <Snippet text={snippet} />
      <p className="mt-4 flex items-center gap-3 text-note text-ink-2">
        Waiting for the first event. This page updates by itself.
        <LiveIndicator />
      </p>
    </div>
  );
}

/** A few lines to run, and their copy. */
export const Snippet = ({ text }: { readonly text: string }) => (
  <div className="rounded-panel border border-line bg-surface">
    <div className="flex items-center border-b border-line py-1 pr-2 pl-4 text-table">
      <span className="flex-1 font-bold">curl</span>
      <Button kind="quiet" onClick={() => copy(text, 'it')}>
        <Copy size={14} strokeWidth={1.75} aria-hidden />
        Copy
      </Button>
    </div>
    <div tabIndex={0} role="group" aria-label="The command" className="overflow-x-auto px-4 py-3">
      <pre>{text}</pre>
    </div>
  </div>
);
