import { useRef, useState } from 'react';
import { importSubscriptions } from '../../api/notifications';
import type { SubscriptionImport } from '../../api/types';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Fault } from '../../parts/form/fault';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { counted, numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';

const SHOWN = 50;

/** A file of subscriptions: what is in, and which lines are left out and why. */
export function ImportDialog({
  topic: given,
  onClose,
}: {
  readonly topic: string | undefined;
  readonly onClose: () => void;
}) {
  const [topic, setTopic] = useState(given ?? '');
  const [file, setFile] = useState<File>();
  const [report, setReport] = useState<SubscriptionImport>();
  const input = useRef<HTMLInputElement>(null);
  const submit = useSubmit();
  const send = () => {
    if (!file) {
      input.current?.focus();
      return;
    }
    submit.run(async () => {
      setReport(await importSubscriptions(file, topic.trim() === '' ? undefined : topic.trim()));
    });
  };
  if (report) return <Report report={report} onClose={onClose} />;
  return (
    <Dialog
      title="Import subscriptions"
      insists={submit.busy}
      onClose={onClose}
      footer={
        <>
          <Button disabled={submit.busy} onClick={onClose}>
            Back
          </Button>
          <Button kind="primary" busy={submit.busy} disabled={!file} onClick={send}>
            {submit.busy ? 'Importing…' : 'Import it'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Fault text={submit.faultBesides()} />
        <p className="max-w-prose text-ink-2">
          The first line names the columns: email and topic, and if you like name, locale, timezone, status,
          notifyOn, maxNotifications. Who has ended a subscription is not revived.
        </p>
        <label className="block font-semibold">
          CSV file
          <input
            ref={input}
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => setFile(event.target.files?.[0])}
            className="mt-1 block w-full min-w-0 font-normal coarse:min-h-11"
          />
        </label>
        <Field label="Topic" hint="Of lines that name none.">
          <TextInput value={topic} maxLength={200} onChange={setTopic} />
        </Field>
        {submit.busy && (
          <p role="status" className="text-ink-2">
            Keep this page open until it is in.
          </p>
        )}
      </div>
    </Dialog>
  );
}

const Report = ({
  report: { imported, updated, rejected, rejectedTotal },
  onClose,
}: {
  readonly report: SubscriptionImport;
  readonly onClose: () => void;
}) => (
  <Dialog
    title={`${counted(imported, 'subscription')} imported, ${numberWords(updated)} updated`}
    onClose={onClose}
    footer={
      <Button kind="primary" autoFocus onClick={onClose}>
        Done
      </Button>
    }
  >
    {rejectedTotal === 0 ? (
      <p>No line was left out.</p>
    ) : (
      <>
        <p>
          {counted(rejectedTotal, 'line')} {rejectedTotal === 1 ? 'was' : 'were'} left out.
        </p>
        <ol
          tabIndex={0}
          aria-label="Left out"
          className="mt-2 max-h-64 overflow-y-auto rounded-panel border border-line px-3 py-1 text-table"
        >
          {rejected.slice(0, SHOWN).map(({ line, reason }) => (
            <li key={line} className="border-t border-line py-1 wrap-anywhere first:border-t-0">
              <span className="figures text-ink-2">line {numberWords(line)}</span> {visible(reason)}
            </li>
          ))}
        </ol>
        {rejectedTotal > SHOWN && <p className="mt-1 text-note text-ink-2">The first {SHOWN} are shown.</p>}
      </>
    )}
  </Dialog>
);
