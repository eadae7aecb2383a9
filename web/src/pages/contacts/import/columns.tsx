import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { ofLook, startImport } from '../../../api/contacts';
import type { Campaign, Import } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Fault } from '../../../parts/form/fault';
import { Choice, TextInput } from '../../../parts/form/inputs';
import { useSubmit } from '../../../parts/form/use-submit';
import { counted } from '../../../parts/number-words';
import { Panel } from '../../../parts/panel';
import { Untrusted } from '../../../parts/untrusted';
import { useSettled } from '../../../parts/use-settled';
import { visible } from '../../../parts/visible';
import { useMay } from '../../../session';
import { useOffline } from '../../../shell/live-indicator';
import { TAKES } from '../add-to-campaign';
import { ColumnNote, How, KnownAlready } from './how';
import {
  BECOMES,
  draftOf,
  faultOf,
  lacks,
  mappingOf,
  proposed,
  type ColumnDraft,
  type Draft,
} from './mapping';

export const shareOf = (filled: number, lines: number): string =>
  lines === 0 ? '0 %' : `${String(Math.round((filled / lines) * 100))} %`;

const SETTLES_MS = 500;

/** Nothing is in yet: somebody says what each column becomes. */
export function ColumnsToChoose({ known }: { readonly known: Import }) {
  const may = useMay('send');
  const offline = useOffline();
  const [draft, setDraft] = useState(() => proposed(known));
  const enrols = useMay('operate');
  const [campaign, chooseCampaign] = useState<Campaign>();
  const submit = useSubmit();
  const missing = lacks(draft);
  const settled = useSettled(missing === undefined ? mappingOf(draft) : null, SETTLES_MS);
  const look = useQuery(ofLook(known.id, settled));
  const set = (column: string, part: ColumnDraft) => setDraft({ ...draft, [column]: part });
  const leave = () =>
    setDraft(
      Object.fromEntries(
        Object.entries(draft).map(([name, each]) => [
          name,
          each.becomes === 'attribute' ? { ...each, becomes: 'nothing' as const } : each,
        ]),
      ),
    );
  return (
    <form
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit.run(async () => {
          await startImport(known.id, mappingOf(draft), campaign?.id);
        });
      }}
    >
      <Fault text={submit.faultBesides()} />
      <Panel
        title="Columns"
        note="as found in the file; choose what each becomes"
        {...(may && {
          aside: (
            <Button kind="quiet" onClick={leave}>
              Leave all unknown ones in the file
            </Button>
          ),
        })}
      >
        <p
          aria-hidden
          className="flex gap-x-4 border-b border-line px-3.5 py-1.5 text-note text-ink-2 max-lg:hidden"
        >
          <span className="flex-1 basis-40">Column in the file</span>
          <span className="w-56">Becomes</span>
          <span className="flex-2 basis-56">First lines</span>
          <span className="w-16 text-right">Filled</span>
          <span className="w-44" />
        </p>
        <ul>
          {known.columns.map((column) => (
            <li
              key={column.name}
              className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t border-line px-3.5 py-2 text-table first:border-t-0"
            >
              <code className="min-w-0 flex-1 basis-40 self-center wrap-anywhere">
                <Untrusted text={column.name} />
              </code>
              <Chosen column={column.name} draft={draft} onChange={may ? set : undefined} />
              <span className="min-w-0 flex-2 basis-56 self-center text-ink-2 wrap-anywhere">
                {column.samples.length === 0 ? (
                  'nothing'
                ) : (
                  <bdi>{column.samples.map((sample) => visible(sample)).join(' · ')}</bdi>
                )}
              </span>
              <span className="figures w-16 self-center text-right" title="of the lines are filled">
                {shareOf(column.filled, known.lines)}
                <span className="sr-only"> of the lines are filled</span>
              </span>
              <span className="w-44 self-center text-note text-ink-2 wrap-anywhere max-sm:w-full">
                <ColumnNote part={draft[column.name]} look={look.data} />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <How
          known={known}
          may={may}
          campaign={campaign}
          onChoose={may && enrols ? chooseCampaign : undefined}
        />
        <KnownAlready lines={known.lines} look={missing === undefined ? look.data : undefined} />
      </div>
      <div className="flex flex-wrap items-center gap-3 rounded-panel border border-line-strong bg-surface px-3.5 py-2.5">
        <p className="min-w-0 flex-1 basis-60 text-table text-ink-2 wrap-anywhere">
          {missing === undefined
            ? ((campaign && TAKES[campaign.state]) ?? 'Nothing is mailed by an import.')
            : visible(missing)}
        </p>
        <Link to="/contacts/$contactId" params={{ contactId: 'import' }}>
          Another file
        </Link>
        {may && offline === undefined && missing === undefined && (
          <Button type="submit" kind="primary" busy={submit.busy}>
            Import {counted(known.lines, 'line')}
            {campaign && ' and enrol them'}
          </Button>
        )}
      </div>
    </form>
  );
}

interface ChosenProps {
  readonly column: string;
  readonly draft: Draft;
  readonly onChange: ((column: string, part: ColumnDraft) => void) | undefined;
}

function Chosen({ column, draft, onChange }: ChosenProps) {
  const own = draft[column] ?? draftOf(column, null);
  const fault = faultOf(draft, column);
  return (
    <div className="w-56 max-sm:w-full">
      <Choice
        aria-label={`What ${visible(column)} becomes`}
        value={own.becomes}
        options={BECOMES}
        disabled={!onChange}
        onChange={(becomes) => onChange?.(column, { ...own, becomes })}
      />
      {own.becomes === 'attribute' && (
        <TextInput
          aria-label={`Name of the attribute that ${visible(column)} becomes`}
          value={own.name}
          maxLength={100}
          disabled={!onChange}
          onChange={(name) => onChange?.(column, { ...own, name })}
          className="mt-1 font-mono text-mono"
        />
      )}
      {fault !== undefined && (
        <p className="mt-1 text-note font-semibold text-dead wrap-anywhere">{visible(fault)}</p>
      )}
    </div>
  );
}
