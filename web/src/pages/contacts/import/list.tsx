import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofImports } from '../../../api/contacts';
import type { Import } from '../../../api/types';
import { Failure } from '../../../parts/failure';
import { Pager } from '../../../parts/pager';
import { Panel } from '../../../parts/panel';
import { useRowKeys, ROW } from '../../../parts/row-keys';
import { SkeletonRows } from '../../../parts/skeleton';
import { Untrusted } from '../../../parts/untrusted';
import { useMayAct } from '../../../shell/may-act';
import { TopBar } from '../../../shell/top-bar';
import { Time } from '../../../time/time';
import { ChooseFile } from './choose-file';
import { DropPlace } from './drop-place';
import { useSendFile, useUpload } from './file-in-hand';

/** A file is chosen here; those that came before are below. */
export function ImportsPage({ cursor }: { readonly cursor: string | undefined }) {
  const may = useMayAct('send');
  const { data, error, refetch } = useQuery(ofImports(cursor));
  useRowKeys('import');
  return (
    <DropPlace may={may}>
      <TopBar title="Import" within={{ label: 'Contacts', to: '/contacts' }} />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {may && <Chooser />}
        {error && !data ? (
          <Failure error={error} what="the imports" onRetry={() => void refetch()} />
        ) : (
          <Panel title="Files so far" note="newest first">
            {data === undefined ? (
              <SkeletonRows rows={4} />
            ) : data.items.length === 0 ? (
              <p className="px-3.5 py-3 text-table text-ink-2">No file was imported yet.</p>
            ) : (
              <ul>
                {data.items.map((each) => (
                  <Row key={each.id} each={each} />
                ))}
              </ul>
            )}
          </Panel>
        )}
        {data && <Pager to="/contacts/import" cursor={cursor} next={data.nextCursor} />}
      </div>
    </DropPlace>
  );
}

function Chooser() {
  const send = useSendFile();
  const busy = useUpload() !== undefined;
  return (
    <div className="flex flex-col items-center gap-3 rounded-panel border border-dashed border-line-strong bg-surface px-6 py-10 text-center">
      <h2 className="text-sentence font-[680]">Drop a CSV here, or choose one.</h2>
      <p className="max-w-prose text-ink-2">
        Its first line names the columns. It is read whole before anything of it is imported: next you say
        what each column becomes. Nothing is mailed by an import.
      </p>
      <ChooseFile kind="primary" busy={busy} onChoose={send}>
        Choose a CSV file
      </ChooseFile>
      <p className="text-note text-ink-2">
        Up to 1 GB. From the command line: <code>pillarbox contacts import FILE</code>
      </p>
    </div>
  );
}

const Row = ({ each }: { readonly each: Import }) => (
  <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-t border-line px-3.5 py-2 text-table first:border-t-0">
    <Link
      to="/contacts/import/$importId"
      params={{ importId: each.id }}
      {...ROW}
      className="min-w-0 flex-1 basis-40 font-semibold wrap-anywhere"
    >
      <Untrusted text={each.fileName ?? 'A file without a name'} />
    </Link>
    <span className="text-ink-2">{each.plate.sentence}</span>
    <span className="text-note text-ink-2">
      <Time at={each.createdAt} label="Uploaded" />
    </span>
  </li>
);
