import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarCheck } from 'lucide-react';
import { useState } from 'react';
import { ofPlan } from '../../../api/campaigns';
import type { CampaignDetail, DryRun as Run } from '../../../api/types';
import { Button, buttonLook } from '../../../parts/button';
import { Failure } from '../../../parts/failure';
import { counted, numberWords } from '../../../parts/number-words';
import { Panel } from '../../../parts/panel';
import { Plate } from '../../../parts/plate';
import { SkeletonRows } from '../../../parts/skeleton';
import { useMay } from '../../../session';
import { useOffline } from '../../../shell/live-indicator';
import { dayOf } from '../../../time/words';
import { useZone } from '../../../time/zone';
import { Simulate } from '../simulate';
import { Capacity } from './capacity';
import { LaunchQuestion } from './launch-question';
import { Month } from './month';
import { people } from './people-step';
import { PlanTable } from './plan-table';
import { Warnings } from './warnings';

interface Props {
  readonly campaign: CampaignDetail;
  /** The question is open. */
  readonly asks: boolean;
  readonly onAsk: (step: 'confirm' | 'dry-run') => void;
}

/** What would leave when, what binds, and what is wrong with it. Nothing is stored. */
export function DryRun({ campaign, asks, onAsk }: Props) {
  const { data: run, error, refetch, isFetching } = useQuery(ofPlan(campaign.id));
  if (error && !run) return <Failure error={error} what="the dry run" onRetry={() => void refetch()} />;
  if (!run) return <SkeletonRows rows={8} />;
  return (
    <>
      <Plate
        {...run.plate}
        {...(run.plate.level === 'fine' && {
          glyph: <CalendarCheck size={26} strokeWidth={1.75} aria-hidden />,
        })}
        cells={[<Days key="days" run={run} />, <Reach key="reach" run={run} />]}
      />
      <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,3fr)] items-start gap-4 max-xl:grid-cols-1">
        <PlanCalendar run={run} />
        <div className="flex min-w-0 flex-col gap-4">
          <Warnings campaign={campaign} warnings={run.warnings} />
          <Capacity run={run} />
          <People campaign={campaign} run={run} />
          <Simulate id={campaign.id} planned={run.days} />
          <Launch campaign={campaign} run={run} counting={isFetching} onAsk={() => onAsk('confirm')} />
        </div>
      </div>
      {asks && run.total > 0 && !isBlocked(run) && (
        <LaunchQuestion campaign={campaign} run={run} onClose={() => onAsk('dry-run')} />
      )}
    </>
  );
}

const isBlocked = ({ warnings }: Run): boolean => warnings.some(({ level }) => level === 'block');

function Days({ run: { days } }: { readonly run: Run }) {
  return (
    <span className="text-note text-ink-2">
      <span className="block">Sending days</span>
      <strong className="figures block text-title text-ink">
        {numberWords(new Set(days.map(({ date }) => date)).size)}
      </strong>
    </span>
  );
}

/** When everybody has had the first of it. */
const Reach = ({ run: { mailed, reachesAllAt } }: { readonly run: Run }) => {
  const zone = useZone();
  return (
    <span className="text-note text-ink-2">
      <span className="block">The first step reaches all</span>
      <strong className="figures block text-title text-ink">
        {reachesAllAt === null ? 'never' : dayOf(Date.parse(reachesAllAt), zone)}
      </strong>
      {people(mailed)}
    </span>
  );
};

function PlanCalendar({ run }: { readonly run: Run }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Panel
      title="Calendar"
      note="mails a day"
      aside={
        <Button aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          Table
        </Button>
      }
    >
      {run.days.length === 0 ? (
        <p className="px-3.5 py-4 text-table text-ink-2">Nothing would leave.</p>
      ) : asTable ? (
        <PlanTable run={run} />
      ) : (
        <Month run={run} />
      )}
    </Panel>
  );
}

const People = ({
  campaign,
  run: { total, mailed },
}: {
  readonly campaign: CampaignDetail;
  readonly run: Run;
}) => (
  <dl className="grid grid-cols-[1fr_auto] gap-y-1 rounded-panel border border-line bg-surface px-3.5 py-2.5 text-table">
    <dt className="text-ink-2">People in it</dt>
    <dd className="figures text-right font-bold">{numberWords(campaign.people)}</dd>
    <dt className="text-ink-2">Would get mail</dt>
    <dd className="figures text-right font-bold">{numberWords(mailed)}</dd>
    <dt className="text-ink-2">Steps each</dt>
    <dd className="figures text-right font-bold">{numberWords(campaign.steps.length)}</dd>
    <dt className="text-ink-2">Mails</dt>
    <dd className="figures text-right font-bold">{numberWords(total)}</dd>
  </dl>
);

interface LaunchProps {
  readonly campaign: CampaignDetail;
  readonly run: Run;
  readonly counting: boolean;
  readonly onAsk: () => void;
}

/** While something stands in the way the button is absent, and the reason in its place. */
function Launch({ campaign, run, counting, onAsk }: LaunchProps) {
  const may = useMay('operate');
  const offline = useOffline();
  const block = run.warnings.find(({ level }) => level === 'block');
  const why = !may
    ? 'An operator can launch it.'
    : offline !== undefined
      ? 'No connection.'
      : block
        ? block.sentence
        : run.total === 0
          ? 'Nothing would leave.'
          : undefined;
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to="/campaigns/$campaignId/launch/$step"
          params={{ campaignId: campaign.id, step: 'accounts' }}
          className={buttonLook()}
        >
          Back
        </Link>
        {why === undefined && (
          <Button kind="primary" busy={counting} onClick={onAsk}>
            {counting ? 'Counting again' : `Launch ${counted(run.total, 'mail')}…`}
          </Button>
        )}
      </div>
      <p className="mt-1.5 text-right text-note text-ink-2">
        {why ?? 'Asks once more. A pause is possible at any time; what has left stays left.'}
      </p>
    </div>
  );
}
