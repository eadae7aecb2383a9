import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Lock, TriangleAlert, Undo2 } from 'lucide-react';
import { launchCampaign, ofSchedule } from '../../../api/campaigns';
import type { CampaignDetail, DryRun } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { Fault } from '../../../parts/form/fault';
import { useSubmit } from '../../../parts/form/use-submit';
import { counted, numberWords } from '../../../parts/number-words';
import { showToast } from '../../../parts/toast';
import { Untrusted } from '../../../parts/untrusted';
import { visible } from '../../../parts/visible';
import { useFromNow } from '../../../time/clock';
import { dayOf, timeOf, whenWords, zoneName } from '../../../time/words';
import { useZone } from '../../../time/zone';
import { people } from './people-step';

interface Props {
  readonly campaign: CampaignDetail;
  readonly run: DryRun;
  readonly onClose: () => void;
}

const LINE = 'flex gap-2.5 text-table';

/** The count, the first time, what is pinned and what cannot be undone. The safe way out has the focus. */
export function LaunchQuestion({ campaign, run, onClose }: Props) {
  const { id, name } = campaign;
  const submit = useSubmit();
  const navigate = useNavigate();
  const launch = () =>
    submit.run(async () => {
      const answer = await launchCampaign(id);
      // A launch that takes longer goes on at the server; its page shows how far it is.
      showToast({
        text:
          'progress' in answer
            ? `${visible(name)} runs. The planning goes on by itself.`
            : `Launched. ${numberWords(answer.scheduled)} scheduled, ${numberWords(answer.skipped)} left out.`,
      });
      await navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } });
    });
  const mails = counted(run.total, 'mail');
  return (
    <Dialog
      title={`Launch ${visible(name)}?`}
      onClose={onClose}
      footer={
        <>
          <Button autoFocus disabled={submit.busy} onClick={onClose}>
            Back
          </Button>
          <Button kind="primary" busy={submit.busy} onClick={launch}>
            Launch {mails}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Fault text={submit.faultBesides()} />
        <p>
          <strong>{mails}</strong> to {people(run.mailed)} are planned now.{' '}
          {run.firstAt !== null && <First at={run.firstAt} />}
        </p>
        {run.warnings
          .filter(({ level }) => level === 'read')
          .map(({ code, sentence }) => (
            <p key={`${code} ${sentence}`} className={LINE}>
              <TriangleAlert size={16} strokeWidth={1.75} aria-hidden className="mt-px shrink-0 text-retry" />
              <Untrusted text={sentence} />
            </p>
          ))}
        {run.sequenceVersion !== null && (
          <p className={LINE}>
            <Lock size={16} strokeWidth={1.75} aria-hidden className="mt-px shrink-0 text-ink-2" />
            The sequence is pinned at version {run.sequenceVersion}, for these people.
          </p>
        )}
        <p className={LINE}>
          <Undo2 size={16} strokeWidth={1.75} aria-hidden className="mt-px shrink-0 text-ink-2" />
          Pause and stop work at any time. What has left stays left.
        </p>
        {submit.busy && <Progress id={id} />}
      </div>
    </Dialog>
  );
}

function First({ at }: { readonly at: string }) {
  const zone = useZone();
  const instant = Date.parse(at);
  const away = useFromNow((now) => whenWords(instant, now, zone));
  return (
    <>
      The first leaves{' '}
      <strong>
        {dayOf(instant, zone)}, {timeOf(instant, zone)} {zoneName(zone, instant)}
      </strong>
      {away.startsWith('in ') && `, ${away}`}; until then nothing does.
    </>
  );
}

function Progress({ id }: { readonly id: string }) {
  const { data } = useQuery(ofSchedule(id));
  if (!data) return null;
  const { planned, total } = data.progress;
  return (
    <p role="status" className="figures text-table text-ink-2">
      {numberWords(planned)} of {numberWords(total)} planned.
    </p>
  );
}
