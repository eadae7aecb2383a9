import { Copy } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { ApiError, post } from '../../api/client';
import { outdated } from '../../api/query-client';
import { Button } from '../../parts/button';
import { copy } from '../../parts/copy';
import { faultWords } from '../../parts/fault-words';
import { showToast } from '../../parts/toast';
import { useMay, useMe } from '../../session';
import { LiveIndicator, useOffline } from '../../shell/live-indicator';
import { Box } from './pillar-box';
import { snippetsOf } from './snippets';

/** Nothing yet: what to do first. */
export function FirstRun() {
  const { installation } = useMe();
  return (
    <div className="m-auto grid w-full max-w-[1020px] grid-cols-[240px_minmax(0,1fr)] items-center gap-16 p-6 max-lg:grid-cols-1 max-sm:p-3.5">
      <div className="max-lg:hidden">
        <Box />
      </div>
      <div className="min-w-0">
        <h2 className="text-figure font-[680]">Nothing has been posted yet.</h2>
        <p className="mb-3 max-w-prose text-ink-2">
          Send the first mail and it shows up here within a second.
          {installation.inbox && ' In this workspace it goes to the Dev inbox, not to the internet.'}
        </p>
        <Snippets />
        <FirstActs />
        <p className="mt-4 flex items-center gap-3 text-note text-ink-2">
          Waiting for the first mail. This page updates by itself.
          <LiveIndicator />
        </p>
      </div>
    </div>
  );
}

function Snippets() {
  const snippets = snippetsOf(location.origin);
  const [shown, show] = useState<keyof typeof snippets>('curl');
  return (
    <Tabs.Root
      value={shown}
      onValueChange={(value) => show(value as keyof typeof snippets)}
      className="rounded-panel border border-line bg-surface"
    >
      <div className="flex items-center border-b border-line pr-2">
        <Tabs.List aria-label="How to send" className="flex flex-1 flex-wrap px-2">
          {Object.keys(snippets).map((name) => (
            <Tabs.Trigger
              key={name}
              value={name}
              className="min-h-11 border-b-2 border-transparent px-2.5 text-table text-ink-2 data-[state=active]:border-primary data-[state=active]:font-bold data-[state=active]:text-ink"
            >
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Button kind="quiet" onClick={() => copy(snippets[shown], 'it')}>
          <Copy size={14} strokeWidth={1.75} aria-hidden />
          Copy
        </Button>
      </div>
      {Object.entries(snippets).map(([name, text]) => (
        <Tabs.Content key={name} value={name} className="overflow-x-auto px-4 py-3">
          <pre>{text}</pre>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** What this server can't do is not offered twice. */
const NOT_HERE = [404, 409];

function FirstActs() {
  const { user } = useMe();
  const maySend = useMay('send');
  const mayFill = useMay('admin');
  const offline = useOffline();
  const [busy, setBusy] = useState<'test' | 'demo'>();
  const [demo, setDemo] = useState(true);
  if (offline !== undefined) return null;
  const act = async (what: 'test' | 'demo', request: () => Promise<unknown>, done: string) => {
    setBusy(what);
    try {
      await request();
      showToast({ text: done });
      await outdated(['messages']);
    } catch (error) {
      if (what === 'demo' && error instanceof ApiError && NOT_HERE.includes(error.status)) setDemo(false);
      showToast({ text: faultWords(error), tone: 'fault' });
    } finally {
      setBusy(undefined);
    }
  };
  const email = user?.email;
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {maySend && email !== undefined && (
        <Button
          kind="primary"
          busy={busy === 'test'}
          onClick={() =>
            void act(
              'test',
              () => post('/api/outbox', testMail(email)),
              `A test mail to ${email} is on its way.`,
            )
          }
        >
          Send a test mail
        </Button>
      )}
      {mayFill && demo && (
        <Button
          busy={busy === 'demo'}
          onClick={() => void act('demo', () => post('/api/admin/demo', {}), 'Demo data is loaded.')}
        >
          Load demo data
        </Button>
      )}
    </div>
  );
}

const testMail = (to: string) => ({
  to,
  subject: 'A test mail from Pillarbox',
  text: 'It went in once and left once. Open it in the queue to see how.',
});
