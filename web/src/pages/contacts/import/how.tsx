import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ofCampaigns } from '../../../api/campaigns';
import { ofAttributesInUse } from '../../../api/sequences';
import type { Campaign, Import, ImportLook } from '../../../api/types';
import { Field } from '../../../parts/form/field';
import { Choice } from '../../../parts/form/inputs';
import { counted, numberWords } from '../../../parts/number-words';
import { Panel } from '../../../parts/panel';
import { visible } from '../../../parts/visible';
import { TAKES } from '../add-to-campaign';
import type { ColumnDraft } from './mapping';
import { ReadAgain } from './read-again';
import { encodingWords, separatorWords } from './reading';

interface HowProps {
  readonly known: Import;
  /** Whether it may be read in another way. */
  readonly may: boolean;
  readonly campaign: Campaign | undefined;
  /** Undefined: somebody who may not decide it looks. */
  readonly onChoose: ((campaign: Campaign | undefined) => void) | undefined;
}

/** How the file is read, what becomes of who is known, and where its people go. */
export function How({ known, may, campaign, onChoose }: HowProps) {
  const { data } = useQuery({ ...ofCampaigns(), enabled: onChoose !== undefined });
  const open = (data?.items ?? []).filter(({ state }) => TAKES[state] !== undefined);
  return (
    <Panel title="How">
      <div className="grid gap-4 px-3.5 py-3 sm:grid-cols-2">
        {may ? (
          <ReadAgain known={known} />
        ) : (
          <>
            <Fact label="Separator">{separatorWords(known.separator)}</Fact>
            <Fact label="Encoding">{encodingWords(known.encoding)}</Fact>
          </>
        )}
        <Fact label="A known address" hint="empty cells change nothing; who unsubscribed stays so">
          Updated with what the file fills
        </Fact>
        {onChoose && (
          <Field
            label="Then enrol in"
            hint={campaign ? TAKES[campaign.state] : 'an import by itself mails nobody'}
          >
            <Choice
              value={campaign?.id ?? ''}
              onChange={(id) => onChoose(open.find((each) => each.id === id))}
              options={[
                { value: '', label: 'No campaign' },
                ...open.map(({ id, name }) => ({ value: id, label: visible(name) })),
              ]}
            />
          </Field>
        )}
      </div>
    </Panel>
  );
}

const Fact = ({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) => (
  <dl className="text-table">
    <dt className="font-semibold">{label}</dt>
    <dd className="mt-1">{children}</dd>
    {hint !== undefined && <dd className="mt-1 text-note text-ink-2">{hint}</dd>}
  </dl>
);

interface KnownProps {
  /** Of the file. */
  readonly lines: number;
  readonly look: ImportLook | undefined;
}

/** What a first reading tells before anything is stored. */
export const KnownAlready = ({ lines, look }: KnownProps) => (
  <Panel
    title="What is known already"
    note={
      look && look.lines < lines
        ? `from the first ${numberWords(look.lines)} lines`
        : 'from a first reading of the file'
    }
  >
    {look === undefined ? (
      <p className="px-3.5 py-3 text-table text-ink-2">It is read when the columns are chosen.</p>
    ) : (
      <ul className="text-table">
        <Known count={look.known}>{look.known === 1 ? 'is' : 'are'} known and would be updated</Known>
        <Known count={look.suppressed}>
          {look.suppressed === 1 ? 'is' : 'are'} suppressed or unsubscribed: they would stay so
        </Known>
        <Known count={look.rejected}>of {counted(look.lines, 'line')} would be left out</Known>
      </ul>
    )}
  </Panel>
);

const Known = ({ count, children }: { readonly count: number; readonly children: ReactNode }) => (
  <li className="flex gap-3 border-t border-line px-3.5 py-2 first:border-t-0">
    <strong className="figures w-14 shrink-0 text-right">{numberWords(count)}</strong>{' '}
    <span className="min-w-0">{children}</span>
  </li>
);

const OUT: Partial<Record<ColumnDraft['becomes'], Import['reasons'][number]['reason']>> = {
  email: 'address',
  timezone: 'time_zone',
  name: 'name',
  linkedinId: 'linkedin_id',
};

interface NoteProps {
  readonly part: ColumnDraft | undefined;
  readonly look: ImportLook | undefined;
}

/** What becoming that means: who is known by it, which lines it costs, and who says it. */
export function ColumnNote({ part, look }: NoteProps) {
  if (!part) return null;
  if (part.becomes === 'attribute') return <UsedBy attribute={part.name.trim()} />;
  const reason = OUT[part.becomes];
  const out = look?.reasons.find((each) => each.reason === reason)?.count ?? 0;
  const known = look && part.becomes === 'email' && look.known > 0;
  return (
    <>
      {known && `${numberWords(look.known)} ${look.known === 1 ? 'is' : 'are'} known: updated`}
      {known && out > 0 && ' · '}
      {out > 0 && `${counted(out, 'line')} would be left out`}
    </>
  );
}

function UsedBy({ attribute }: { readonly attribute: string }) {
  const { data } = useQuery(ofAttributesInUse());
  const sequences = data?.items.find(({ name }) => name === attribute)?.sequences ?? [];
  const [only] = sequences;
  if (!only) return data && 'no sequence says it';
  return (
    <>
      used by{' '}
      {sequences.length === 1 ? (
        <Link to="/sequences/$sequenceId" params={{ sequenceId: only.id }}>
          {visible(only.name)}
        </Link>
      ) : (
        <Link to="/sequences">{counted(sequences.length, 'sequence')}</Link>
      )}
    </>
  );
}
