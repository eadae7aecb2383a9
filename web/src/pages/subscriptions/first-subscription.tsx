import { Button } from '../../parts/button';
import { Snippet } from '../events/first-event';

const subscribeSnippet = (origin: string) => `curl ${origin}/api/subscriptions \\
  -H "Authorization: Bearer $PILLARBOX_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "topic": "workshop:bread",
        "contactType": "email",
        "contactValue": "ada@example.org" }'`;

/** Nothing yet: what to do first. */
export const FirstSubscription = ({
  may,
  onImport,
}: {
  readonly may: boolean;
  readonly onImport: () => void;
}) => (
  <div className="m-auto w-full max-w-[720px] p-6 max-sm:p-3.5">
    <h2 className="text-figure font-[680]">Nobody has subscribed yet.</h2>
    <p className="mb-3 max-w-prose text-ink-2">
      Who subscribes to a topic is told when something happens to it. Nothing is mailed by subscribing, unless
      the status is pending: that asks for a confirmation.
    </p>
    <Snippet text={subscribeSnippet(location.origin)} />
    {may && (
      <div className="mt-3">
        <Button kind="primary" onClick={onImport}>
          Import CSV
        </Button>
      </div>
    )}
  </div>
);
