import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofCalendar } from '../../api/campaigns';
import type { CampaignDetail } from '../../api/types';
import { Panel } from '../../parts/panel';
import { showToast } from '../../parts/toast';
import { Untrusted } from '../../parts/untrusted';
import { useMay } from '../../session';
import { Time } from '../../time/time';
import { useAccounts } from './account-names';
import { TermsForm } from './terms-form';

/** What the campaign is made of; what may still change can be changed here. */
export function SetUp({ campaign }: { readonly campaign: CampaignDetail }) {
  const { state, sequenceName, sequenceVersion, launchedAt, createdAt, startAt, endAt, id } = campaign;
  const may = useMay('operate') && state !== 'stopped' && state !== 'completed';
  /** The form below has them. */
  const asks = may && state === 'draft';
  const accountOf = useAccounts();
  const { data: calendar } = useQuery(ofCalendar(id));
  return (
    <div className="flex flex-col gap-4">
      <Panel title="Set-up">
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5 px-3.5 py-3 text-table wrap-anywhere">
          <Line name="Sequence">
            {sequenceName === null ? 'none; ready-made messages only' : <Untrusted text={sequenceName} />}
            {sequenceVersion !== null && `, pinned at version ${sequenceVersion}`}{' '}
            {state === 'draft' && (
              <Link
                to="/campaigns/$campaignId/launch/$step"
                params={{ campaignId: id, step: 'sequence' }}
                className="underline underline-offset-3"
              >
                Choose
              </Link>
            )}
          </Line>
          {!may && (
            <Line name="Accounts">
              <Untrusted text={campaign.accountIds.map((each) => accountOf(each).name).join(', ')} />
            </Line>
          )}
          <Line name="Made">
            <Time at={createdAt} />
          </Line>
          {launchedAt !== null && (
            <Line name="Launched">
              <Time at={launchedAt} />
            </Line>
          )}
          {startAt !== null && !asks && (
            <Line name="Not before">
              <Time at={startAt} />
            </Line>
          )}
          {endAt !== null && !asks && (
            <Line name="Nothing leaves after">
              <Time at={endAt} />
            </Line>
          )}
        </dl>
      </Panel>
      {may && (
        <TermsForm
          campaign={campaign}
          action="Save"
          onSaved={() => showToast({ text: 'Saved.' })}
          planned={(calendar?.days ?? []).map(({ date, planned }) => ({ date, count: planned }))}
        />
      )}
    </div>
  );
}

const Line = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <>
    <dt className="text-ink-2">{name}</dt>
    <dd>{children}</dd>
  </>
);
