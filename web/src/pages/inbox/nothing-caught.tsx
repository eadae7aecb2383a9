import { Mark } from '../../shell/mark';
import { Empty } from '../../parts/empty';

/** Nothing yet, and how to send one. */
export const NothingCaught = ({ smtpUrl }: { readonly smtpUrl: string | null }) => (
  <Empty title="Nothing caught yet." drawing={<Mark size={56} />}>
    <p>
      Every mail that Pillarbox sends comes to rest here
      {smtpUrl !== null && ', and so does that of any other program that sends to this address'}.
    </p>
    {smtpUrl !== null && (
      <pre className="mt-3 overflow-x-auto rounded-control border border-line bg-sunken px-3 py-2 text-left text-ink">
        SMTP_URL={smtpUrl}
      </pre>
    )}
    <pre className="mt-3 overflow-x-auto rounded-control border border-line bg-sunken px-3 py-2 text-left text-ink">
      {SNIPPET}
    </pre>
  </Empty>
);

const SNIPPET = `curl ${location.origin}/api/outbox \\
  -H "Authorization: Bearer $PILLARBOX_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"to":"ada@example.org","subject":"Hello","text":"It works."}'`;
