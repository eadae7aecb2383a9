import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import { ApiError } from '../../api/client';
import { ofCampaign, ofResumption } from '../../api/campaigns';
import type { CampaignDetail } from '../../api/types';
import { buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { numberWords } from '../../parts/number-words';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { visible } from '../../parts/visible';
import { useMayAct } from '../../shell/may-act';
import { TopBar } from '../../shell/top-bar';
import { Time } from '../../time/time';
import { CampaignActions } from './actions';
import { AddPeople } from './add-people';
import { Calendar } from './calendar';
import { CampaignGlyph } from './campaign-state';
import { Door } from './hold-up';
import { PeopleTab } from './people';
import { Planning } from './planning';
import { Recent } from './recent';
import { SetUp } from './set-up';
import { Steps } from './steps';
import { shareWords } from './table';

const WITHIN = { label: 'Campaigns', to: '/campaigns' };

/** On plan, when does it end, what holds it up. */
export function CampaignPage() {
  const { campaignId: id = '', part } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(ofCampaign(id));
  if (!data)
    return (
      <>
        <TopBar title={error ? 'Not found' : ''} within={WITHIN} />
        <div className="p-5 max-sm:p-3.5">
          {error instanceof ApiError && error.status === 404 ? (
            <Gone />
          ) : error ? (
            <Failure error={error} what="this campaign" onRetry={() => void refetch()} />
          ) : (
            <SkeletonRows rows={6} />
          )}
        </div>
      </>
    );
  if (part === 'mails') return <Navigate to="/queue" search={{ campaignId: id }} replace />;
  return <Shown key={id} campaign={data} part={part} />;
}

const TAB =
  'flex min-h-8 items-center gap-1.5 rounded-control border border-transparent px-3 text-ink-2 no-underline hover:bg-hover aria-[current]:border-line aria-[current]:bg-surface aria-[current]:font-bold aria-[current]:text-ink coarse:min-h-11';

function Shown({ campaign, part }: { readonly campaign: CampaignDetail; readonly part: string | undefined }) {
  const { id, name, state, plate, progress, people, pausedAt } = campaign;
  const may = useMayAct('operate');
  const { data: resumption } = useQuery(ofResumption(id, state === 'paused' ? pausedAt : null));
  const evidence = resumption?.sentence ?? plate.evidence;
  const tab = (to: string | undefined, label: string, n?: number) => (
    <Link
      to={to === undefined ? '/campaigns/$campaignId' : '/campaigns/$campaignId/$part'}
      params={{ campaignId: id, part: to ?? '' }}
      search={{}}
      aria-current={part === to || (part === 'add' && to === 'people') ? 'page' : undefined}
      activeOptions={{ exact: true }}
      className={TAB}
    >
      {label}
      {n !== undefined && <span className="figures font-normal">{numberWords(n)}</span>}
    </Link>
  );
  return (
    <>
      <TopBar title={visible(name)} within={WITHIN} />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        <Plate
          {...plate}
          sentence={visible(plate.sentence)}
          {...(evidence !== undefined && { evidence: visible(evidence) })}
          {...((plate.level === 'fine' || state === 'paused') && {
            glyph: <CampaignGlyph state={state} size={26} />,
          })}
          {...(campaign.holdUp && {
            action: (
              <Door to={campaign.holdUp.to} className={buttonLook()}>
                {campaign.holdUp.verb}
              </Door>
            ),
          })}
          cells={
            state === 'draft'
              ? []
              : [<Today key="today" campaign={campaign} />, <Replied key="replied" campaign={campaign} />]
          }
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <nav aria-label="Parts of this campaign" className="flex flex-wrap gap-1">
            {tab(undefined, 'Calendar')}
            {tab('people', 'People', people)}
            <Link to="/queue" search={{ campaignId: id }} className={TAB}>
              Mails <span className="figures">{numberWords(progress.total)}</span>
            </Link>
            {tab('set-up', 'Set-up')}
          </nav>
          <CampaignActions campaign={campaign} />
        </div>
        {part === 'people' ? (
          <PeoplePart campaign={campaign} />
        ) : part === 'add' && may ? (
          <AddPeople campaign={campaign} />
        ) : part === 'set-up' ? (
          <SetUp campaign={campaign} />
        ) : (
          <>
            {state === 'running' && <Planning id={id} />}
            <Calendar campaign={campaign} />
            <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-4 max-xl:grid-cols-1">
              <Steps campaign={campaign} />
              <Recent id={id} />
            </div>
          </>
        )}
      </div>
    </>
  );
}

function PeoplePart({ campaign }: { readonly campaign: CampaignDetail }) {
  const { status, step, accountId, q, cursor, concern } = useSearch({ strict: false });
  const filter = concern === undefined ? { status, step, accountId, q, cursor } : { concern, cursor };
  return <PeopleTab key={JSON.stringify(filter)} campaign={campaign} filter={filter} />;
}

const Today = ({ campaign: { progress, next } }: { readonly campaign: CampaignDetail }) => (
  <span className="text-note text-ink-2">
    <span className="block">Sent today</span>
    <strong className="figures block text-title text-ink">
      {numberWords(progress.sentToday)} of {numberWords(progress.sentToday + progress.planToday)}
    </strong>
    {next && (
      <>
        next <Time at={next.at} label="The next mail leaves" />
      </>
    )}
  </span>
);

const Replied = ({ campaign: { id, replied, people } }: { readonly campaign: CampaignDetail }) => (
  <span className="text-note text-ink-2">
    <span className="block">Replied</span>
    <strong className="figures block text-title text-ink">{shareWords(replied, people)}</strong>
    <Link
      to="/campaigns/$campaignId/$part"
      params={{ campaignId: id, part: 'people' }}
      search={{ status: 'replied' }}
      className="underline underline-offset-3"
    >
      {numberWords(replied)} of {numberWords(people)}
    </Link>
  </span>
);

const Gone = () => (
  <Empty
    title="There is no such campaign."
    actions={
      <Link to="/campaigns" className={buttonLook('primary')}>
        Show all campaigns
      </Link>
    }
  >
    It belongs to another workspace, or it was never there.
  </Empty>
);
