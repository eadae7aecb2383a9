import { Link, useNavigate } from '@tanstack/react-router';
import type { Campaign } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { Changing } from '../../parts/changing';
import { counted, numberWords } from '../../parts/number-words';
import { Untrusted } from '../../parts/untrusted';
import { useMay } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { Time } from '../../time/time';
import { useAccounts } from './account-names';
import { usePausing } from './actions';
import { CampaignChip } from './campaign-state';
import { Ends } from './ends';
import { HoldUp } from './hold-up';
import { PlanBar } from './plan-bar';

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1.5 align-middle';
const rowId = (id: string): string => `campaign-${id}`;

export function CampaignTable({ items }: { readonly items: readonly Campaign[] }) {
  const pausing = useListKeys(items);
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full text-table">
        <thead>
          <tr>
            <th className={HEAD}>Campaign</th>
            <th className={HEAD}>State</th>
            <th className={HEAD}>Sent</th>
            <th className={HEAD}>Next mail</th>
            <th className={HEAD}>Ends</th>
            <th className={`${HEAD} text-right`}>Replied</th>
            <th className={HEAD}>What holds it up</th>
          </tr>
        </thead>
        <tbody>
          {items.map((campaign) => (
            <Row key={campaign.id} campaign={campaign} />
          ))}
        </tbody>
      </table>
      {pausing}
    </div>
  );
}

/** Down and up the list; `p` pauses the one that has the focus, or lets it go on. */
function useListKeys(items: readonly Campaign[]): React.ReactNode {
  const navigate = useNavigate();
  const may = useMay('operate');
  const offline = useOffline();
  const { dialog, turn } = usePausing();
  const present = () => items.findIndex(({ id }) => document.activeElement?.id === rowId(id));
  const step = (by: 1 | -1) => {
    const at = present();
    const next = items[at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + by))];
    const link = next && document.getElementById(rowId(next.id));
    link?.focus();
    link?.scrollIntoView({ block: 'nearest' });
  };
  const act = (run: (campaign: Campaign) => void) => () => {
    const campaign = items[present()];
    if (campaign) run(campaign);
  };
  useShortcuts([
    { keys: 'j', does: 'next campaign', run: () => step(1) },
    { keys: 'k', does: 'previous campaign', run: () => step(-1) },
    {
      keys: 'o',
      does: 'open the campaign',
      run: act(({ id }) => void navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } })),
    },
    ...(may && offline === undefined
      ? [
          {
            keys: 'p',
            does: 'pause or resume the campaign',
            run: act(turn),
          },
        ]
      : []),
  ]);
  return dialog;
}

function Row({ campaign }: { readonly campaign: Campaign }) {
  const { state, progress, next, people, replied } = campaign;
  return (
    <tr className="border-t border-line hover:bg-hover">
      <td className={`${CELL} max-w-64 wrap-anywhere`}>
        <CampaignName campaign={campaign} id={rowId(campaign.id)} />
        <span className="block text-note text-ink-2">
          {people === 0 ? 'nobody yet' : `${numberWords(people)} ${people === 1 ? 'person' : 'people'}`} ·{' '}
          <Senders ids={campaign.accountIds} />
        </span>
      </td>
      <td className={CELL}>
        <Changing value={state} className="-ml-1 inline-block rounded-mark pl-1">
          <CampaignChip state={state} />
        </Changing>
      </td>
      <td className={CELL}>
        {state === 'draft' ? (
          <DraftDoor campaign={campaign} />
        ) : (
          <span className="flex items-center gap-2.5">
            <PlanBar
              {...progress}
              today={progress.planToday}
              over={state === 'completed' || state === 'stopped'}
            />
            <Sent campaign={campaign} />
          </span>
        )}
      </td>
      <td className={`${CELL} whitespace-nowrap`}>
        {next ? (
          <NextMail next={next} />
        ) : (
          <span className="text-ink-2">{state === 'draft' ? '' : 'none'}</span>
        )}
      </td>
      <td className={`${CELL} whitespace-nowrap`}>
        <Ends campaign={campaign} />
      </td>
      <td className={`${CELL} figures text-right`}>{state === 'draft' ? '' : shareWords(replied, people)}</td>
      <td className={`${CELL} max-w-80`}>
        <HoldUp campaign={campaign} />
      </td>
    </tr>
  );
}

/** "5.2 %" of the people. */
export const shareWords = (n: number, of: number): string =>
  of === 0 ? '0 %' : `${((100 * n) / of).toFixed(1).replace(/\.0$/, '')} %`;

export const CampaignName = ({
  campaign: { id, name },
  id: rowName,
}: {
  readonly campaign: Campaign;
  readonly id?: string;
}) => (
  <Link
    to="/campaigns/$campaignId"
    params={{ campaignId: id }}
    {...(rowName !== undefined && { id: rowName })}
    className="font-semibold text-ink no-underline hover:underline"
  >
    <Untrusted text={name} />
  </Link>
);

export const DraftDoor = ({ campaign: { id, people, sequenceId } }: { readonly campaign: Campaign }) => (
  <Link
    to="/campaigns/$campaignId/launch/$step"
    params={{ campaignId: id, step: people === 0 ? 'people' : sequenceId === null ? 'sequence' : 'dry-run' }}
  >
    {people === 0 ? 'Choose people' : sequenceId === null ? 'Choose a sequence' : 'See what would leave'}
  </Link>
);

/** A number is a door to what it counts. */
export const Sent = ({ campaign: { id, progress } }: { readonly campaign: Campaign }) => (
  <span className="figures whitespace-nowrap text-ink-2">
    {progress.sent === 0 ? (
      '0'
    ) : (
      <Link
        to="/queue"
        search={{ campaignId: id, state: 'sent' }}
        aria-label={`${counted(progress.sent, 'mail')} sent`}
        className="underline underline-offset-3"
      >
        {numberWords(progress.sent)}
      </Link>
    )}{' '}
    of {numberWords(progress.total)}
  </span>
);

function NextMail({ next }: { readonly next: NonNullable<Campaign['next']> }) {
  const accountOf = useAccounts();
  return (
    <>
      <Time at={next.at} label="The next mail leaves" />
      <span className="block text-note text-ink-2">
        <Untrusted text={accountOf(next.accountId).name} />
      </span>
    </>
  );
}

const SHOWN = 2;

function Senders({ ids }: { readonly ids: readonly string[] }) {
  const accountOf = useAccounts();
  if (ids.length > SHOWN) return <>{counted(ids.length, 'account')}</>;
  return <Untrusted text={ids.map((id) => accountOf(id).name).join(', ')} />;
}
