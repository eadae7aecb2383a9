import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ofCampaign, ofPlan } from '../../../api/campaigns';
import type { CampaignDetail } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Failure } from '../../../parts/failure';
import { classNames } from '../../../parts/class-names';
import { SkeletonRows } from '../../../parts/skeleton';
import { visible } from '../../../parts/visible';
import { TopBar } from '../../../shell/top-bar';
import { secondsOf, zoneName } from '../../../time/words';
import { useZone } from '../../../time/zone';
import { TermsForm } from '../terms-form';
import { DryRun } from './dry-run';
import { PeopleStep } from './people-step';
import { SequenceStep } from './sequence-step';

const STEPS = [
  ['people', 'People'],
  ['sequence', 'Sequence'],
  ['accounts', 'Accounts'],
  ['dry-run', 'Dry run'],
  ['confirm', 'Launch'],
] as const;
type StepName = (typeof STEPS)[number][0];

/** Who, what, from where, when; then the question. Each step is kept as soon as it is done, so a reload loses nothing. */
export function LaunchPage() {
  const { campaignId: id = '', step: asked } = useParams({ strict: false });
  const { q, cursor } = useSearch({ strict: false });
  const { data: campaign, error, refetch } = useQuery(ofCampaign(id));
  const navigate = useNavigate();
  const step = STEPS.find(([name]) => name === asked)?.[0] ?? 'people';
  const go = (to: StepName) =>
    void navigate({ to: '/campaigns/$campaignId/launch/$step', params: { campaignId: id, step: to } });
  // Launched, here or by somebody else: there is nothing more to ask.
  if (campaign && campaign.state !== 'draft')
    return <Navigate to="/campaigns/$campaignId" params={{ campaignId: id }} replace />;
  return (
    <>
      <TopBar
        title="Launch"
        within={{
          label: campaign ? visible(campaign.name) : 'Campaigns',
          to: campaign ? `/campaigns/${id}` : '/campaigns',
        }}
      />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {campaign ? (
          <>
            <Track campaign={campaign} step={step} />
            {step === 'people' ? (
              <PeopleStep
                key={q ?? ''}
                campaign={campaign}
                q={q}
                cursor={cursor}
                at={`/campaigns/${id}/launch/people`}
              >
                <Button kind="primary" disabled={campaign.people === 0} onClick={() => go('sequence')}>
                  Next: sequence
                </Button>
              </PeopleStep>
            ) : step === 'sequence' ? (
              <SequenceStep campaign={campaign} onNext={() => go('accounts')} />
            ) : step === 'accounts' ? (
              <TermsForm campaign={campaign} action="Next: dry run" onSaved={() => go('dry-run')} />
            ) : (
              <DryRun campaign={campaign} asks={step === 'confirm'} onAsk={go} />
            )}
          </>
        ) : error ? (
          <Failure error={error} what="this campaign" onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </div>
    </>
  );
}

/** What is done is ticked; any step can be gone back to. */
function Track({ campaign, step }: { readonly campaign: CampaignDetail; readonly step: StepName }) {
  const done: Record<StepName, boolean> = {
    people: campaign.people > 0,
    sequence: campaign.sequenceId !== null,
    accounts: campaign.accountIds.length > 0 && step !== 'people' && step !== 'sequence',
    'dry-run': step === 'confirm',
    confirm: false,
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <nav aria-label="Steps of the launch">
        <ol className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {STEPS.map(([name, label], n) => (
            <li key={name}>
              <Link
                to="/campaigns/$campaignId/launch/$step"
                params={{ campaignId: campaign.id, step: name }}
                search={{}}
                aria-current={name === step ? 'step' : undefined}
                className="flex min-h-8 items-center gap-2 text-ink-2 no-underline hover:underline aria-[current]:font-bold aria-[current]:text-ink coarse:min-h-11"
              >
                <span
                  aria-hidden
                  className={classNames(
                    'figures grid size-5 place-items-center rounded-full border text-note',
                    name === step
                      ? 'border-primary bg-primary text-on-primary'
                      : done[name]
                        ? 'border-sent text-sent'
                        : 'border-line-strong',
                  )}
                >
                  {done[name] && name !== step ? '✓' : n + 1}
                </span>
                {label}
                {done[name] && name !== step && <span className="sr-only">, done</span>}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <span className="text-note text-ink-2">
        {step === 'dry-run' || step === 'confirm' ? (
          <Counted id={campaign.id} />
        ) : (
          'Nothing leaves before you press Launch.'
        )}
      </span>
    </div>
  );
}

/** From when the figures are: others go on meanwhile. */
function Counted({ id }: { readonly id: string }) {
  const { data } = useQuery(ofPlan(id));
  const zone = useZone();
  if (!data) return 'Nothing has been sent or planned.';
  const at = Date.parse(data.countedAt);
  return (
    <>
      Nothing has been sent or planned. Counted{' '}
      <span className="figures">
        {secondsOf(at, zone)} {zoneName(zone, at)}
      </span>
      .
    </>
  );
}
