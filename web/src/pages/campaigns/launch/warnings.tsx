import { Info, OctagonX, TriangleAlert } from 'lucide-react';
import { leaveOut } from '../../../api/campaigns';
import { ofSending } from '../../../api/queries';
import { outdated, queryClient } from '../../../api/query-client';
import { ofSendingPreview, saveSending } from '../../../api/sending';
import type { CampaignDetail, DryRun } from '../../../api/types';
import { confirm } from '../../../parts/confirm';
import { numberWords } from '../../../parts/number-words';
import { Panel } from '../../../parts/panel';
import { Untrusted } from '../../../parts/untrusted';
import { useAct } from '../../../parts/use-act';
import { visible } from '../../../parts/visible';
import { useMayAct } from '../../../shell/may-act';
import { dateWords } from '../../../time/dates';
import { Door } from '../hold-up';
import { people } from './people-step';

type Warning = DryRun['warnings'][number];

const ORDER = { block: 0, read: 1, note: 2 } as const;
const LOOKS = {
  block: { icon: OctagonX, colour: 'text-dead', says: 'Stops the launch: ' },
  read: { icon: TriangleAlert, colour: 'text-retry', says: 'To read: ' },
  note: { icon: Info, colour: 'text-ink-2', says: 'Note: ' },
} as const;

/** What stops a launch first, then what is to be read; each with where to do something about it. */
export function Warnings({
  campaign,
  warnings,
}: Pick<DryRun, 'warnings'> & { readonly campaign: CampaignDetail }) {
  const sorted = [...warnings].sort((one, other) => ORDER[one.level] - ORDER[other.level]);
  const read = warnings.filter(({ level }) => level === 'read').length;
  return (
    <Panel title="Before you launch" note={read === 0 ? 'nothing to read' : `${read} to read`}>
      {sorted.length === 0 ? (
        <p className="px-3.5 py-3 text-table text-ink-2">Nothing is wrong with it.</p>
      ) : (
        <ul>
          {sorted.map((warning) => (
            <Line key={`${warning.code} ${warning.sentence}`} warning={warning} campaign={campaign} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Line({ warning, campaign }: { readonly warning: Warning; readonly campaign: CampaignDetail }) {
  const { level, sentence } = warning;
  const { icon: Icon, colour, says } = LOOKS[level];
  return (
    <li
      className={`flex gap-2.5 border-t border-line px-3.5 py-2.5 text-table first:border-t-0 ${level === 'block' ? 'bg-tint-dead' : ''}`}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden className={`mt-px shrink-0 ${colour}`} />
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{says}</span>
        <Untrusted text={sentence} /> <Act warning={warning} campaign={campaign} />
      </span>
    </li>
  );
}

/** One thing to do about it: done at once where role and server allow it, else where it can be done. */
function Act({
  warning: { verb, to, act, count, concern, date },
  campaign,
}: {
  readonly warning: Warning;
  readonly campaign: CampaignDetail;
}) {
  const [busy, run] = useAct();
  const operates = useMayAct('operate');
  const decides = useMayAct('admin');
  if (verb === null || to === null) return null;
  const button = (work: () => Promise<string | undefined>) => (
    <button
      type="button"
      disabled={busy}
      onClick={() => run(work)}
      className="text-link underline underline-offset-3 disabled:opacity-60 coarse:min-h-11"
    >
      {visible(verb)}…
    </button>
  );
  if (act === 'leave_out' && concern !== null && operates)
    return (
      <>
        {button(() => leaveThemOut(campaign, concern, count))} <Door to={to}>Show them</Door>
      </>
    );
  if (act === 'make_holiday' && date !== null && decides) return button(() => makeHoliday(date));
  return <Door to={to}>{act === 'leave_out' ? 'Show them' : visible(verb)}</Door>;
}

async function leaveThemOut(
  { id, name }: CampaignDetail,
  concern: string,
  count: number,
): Promise<string | undefined> {
  const sure = await confirm({
    title: `Leave ${people(count)} out?`,
    text: `They get nothing of ${visible(name)} and can’t be put back into it. Where else they are, nothing changes.`,
    action: `Leave ${numberWords(count)} out`,
  });
  return sure ? `Left ${people(await leaveOut(id, concern))} out.` : undefined;
}

/** It holds for the whole workspace, so what it moves is asked first. */
async function makeHoliday(date: string): Promise<string | undefined> {
  const { holidays } = await queryClient.query({ ...ofSending(), staleTime: 0 });
  const next = [...new Set([...holidays, date])].sort();
  const { plate } = await queryClient.query({ ...ofSendingPreview({ holidays: next }), staleTime: 0 });
  const sure = await confirm({
    title: `Make ${dateWords(date)} a holiday?`,
    text: `Nothing of any campaign of this workspace leaves on it. ${visible(plate.sentence)}`,
    action: 'Make it a holiday',
  });
  if (!sure) return undefined;
  await saveSending({ holidays: next });
  void outdated(['plan'], ['campaigns'], ['limits']);
  return `${dateWords(date)} is a holiday.`;
}
