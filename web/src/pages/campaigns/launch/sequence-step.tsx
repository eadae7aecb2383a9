import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changeCampaign, ofSequences, ofSequenceSteps } from '../../../api/campaigns';
import type { CampaignDetail, SequenceHead } from '../../../api/types';
import { Button, buttonLook } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { Failure } from '../../../parts/failure';
import { Fault } from '../../../parts/form/fault';
import { useSubmit } from '../../../parts/form/use-submit';
import { counted } from '../../../parts/number-words';
import { Panel } from '../../../parts/panel';
import { SkeletonRows } from '../../../parts/skeleton';
import { Untrusted } from '../../../parts/untrusted';
import { Door } from '../hold-up';

interface Props {
  readonly campaign: CampaignDetail;
  readonly onNext: () => void;
}

/** What they get. The version is pinned at the launch: later changes are for others. */
export function SequenceStep({ campaign, onNext }: Props) {
  const { data, error, refetch } = useQuery(ofSequences());
  const [chosen, choose] = useState(campaign.sequenceId);
  const submit = useSubmit();
  if (error && !data) return <Failure error={error} what="the sequences" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={4} />;
  if (data.items.length === 0)
    return (
      <Empty
        title="No sequence yet."
        actions={
          <Door to="/sequences" className={buttonLook('primary')}>
            Write a sequence
          </Door>
        }
      >
        One mail or several, with days between them.
      </Empty>
    );
  const save = () =>
    submit.run(async () => {
      if (chosen !== campaign.sequenceId) await changeCampaign(campaign.id, { sequenceId: chosen });
      onNext();
    });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Fault text={submit.faultBesides()} />
      <Panel
        title="Sequence"
        note="its newest version is pinned when you launch"
        aside={
          <Door to="/sequences" className="text-table no-underline hover:underline">
            All sequences
          </Door>
        }
      >
        <ul>
          {data.items.map((sequence) => (
            <li
              key={sequence.id}
              className="border-t border-line px-3.5 py-2.5 wrap-anywhere first:border-t-0"
            >
              <label className="flex min-h-6 items-start gap-2.5 coarse:min-h-11">
                <input
                  type="radio"
                  name="sequence"
                  className="mt-1 accent-primary"
                  checked={chosen === sequence.id}
                  onChange={() => choose(sequence.id)}
                />
                <span className="min-w-0 flex-1">
                  <strong>
                    <Untrusted text={sequence.name} />
                  </strong>
                  <span className="text-ink-2">, version {sequence.version}</span>
                  {chosen === sequence.id && <StepsOf sequence={sequence} />}
                </span>
              </label>
            </li>
          ))}
        </ul>
      </Panel>
      <div>
        <Button type="submit" kind="primary" busy={submit.busy} disabled={chosen === null}>
          Next: accounts
        </Button>
      </div>
    </form>
  );
}

function StepsOf({ sequence: { id } }: { readonly sequence: SequenceHead }) {
  const { data } = useQuery(ofSequenceSteps(id));
  return (
    <span className="block text-table text-ink-2">
      {data?.steps.map(({ order, subject, delayDays, delayUnit }) => (
        <span key={order} className="block">
          {order}. {subject === null ? 'goes on in the thread' : <Untrusted text={subject} />}
          {delayDays > 0 &&
            `, ${counted(delayDays, delayUnit === 'hours' ? 'hour' : delayUnit === 'sendingDays' ? 'sending day' : 'day')} later`}
        </span>
      ))}
    </span>
  );
}
