import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pauseCampaign, resumeCampaign, stopCampaign } from '../../api/campaigns';
import type { Campaign, CampaignDetail } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { Button, buttonLook } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { faultWords } from '../../parts/fault-words';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { numberWords } from '../../parts/number-words';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';
import { useMay } from '../../session';
import { useOffline } from '../../shell/live-indicator';

type Whom = Pick<Campaign, 'id' | 'name' | 'state' | 'progress'>;

const failed = (error: unknown) => showToast({ text: faultWords(error), tone: 'fault' });
const mails = (n: number, one: string, many: string): string =>
  n === 1 ? `1 mail ${one}` : `${numberWords(n)} mails ${many}`;

/** Pauses one that runs, after a question for the reason, and lets a paused one go on. */
export function usePausing() {
  const [pausing, setPausing] = useState<Whom>();
  const turn = (campaign: Whom) => {
    if (campaign.state === 'running') setPausing(campaign);
    else if (campaign.state === 'paused') void resume(campaign).catch(failed);
  };
  return {
    turn,
    dialog: pausing && <PauseDialog campaign={pausing} onClose={() => setPausing(undefined)} />,
  };
}

/** It releases mail, which cannot be called back: it says so before. */
async function resume({ id, name }: Whom): Promise<void> {
  const sure = await confirm({
    title: `Resume ${visible(name)}?`,
    text: 'What waits gets new times from now on, within what its accounts may send. What leaves then cannot be called back.',
    action: 'Resume',
  });
  if (!sure) return;
  await resumeCampaign(id);
  showToast({ text: `${visible(name)} goes on.` });
}

function PauseDialog({
  campaign: { id, name, progress },
  onClose,
}: {
  readonly campaign: Whom;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const submit = useSubmit();
  const waiting = Math.max(0, progress.total - progress.sent);
  const pause = () =>
    submit.run(async () => {
      await pauseCampaign(id, reason.trim());
      showToast({ text: `${visible(name)} is paused.` });
      onClose();
    });
  return (
    <DialogForm
      title={`Pause ${visible(name)}`}
      action="Pause it"
      submit={submit}
      fields={['reason']}
      onSubmit={pause}
      onClose={onClose}
    >
      <p>
        It stops on every machine within a second; what is being sent at this moment still goes out.{' '}
        {waiting > 0 && `Up to ${mails(waiting, 'waits', 'wait')} and lose no attempt. `}
        Resumed, they get new times.
      </p>
      <Field
        label="Reason"
        error={submit.faultOf('reason')}
        hint="Stands on the campaign for whoever finds it paused."
      >
        <TextInput value={reason} maxLength={500} autoFocus onChange={setReason} />
      </Field>
    </DialogForm>
  );
}

/** What role and state allow; the rest is absent. */
export function CampaignActions({ campaign }: { readonly campaign: CampaignDetail }) {
  const { id, state, waiting, people } = campaign;
  const may = useMay('operate');
  const offline = useOffline();
  const { dialog, turn } = usePausing();
  const open = may && offline === undefined;
  const turns = open && (state === 'running' || state === 'paused');
  useShortcuts(
    turns
      ? [
          {
            keys: 'p',
            does: state === 'paused' ? 'resume the campaign' : 'pause the campaign',
            run: () => turn(campaign),
          },
        ]
      : [],
  );
  if (!open) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'draft' && (
        <Link
          to="/campaigns/$campaignId/launch/$step"
          params={{
            campaignId: id,
            step: people === 0 ? 'people' : campaign.sequenceId === null ? 'sequence' : 'dry-run',
          }}
          className={buttonLook('primary')}
        >
          {people === 0 ? 'Choose people' : 'Dry run and launch'}
        </Link>
      )}
      {turns && (
        <Button hint="p" onClick={() => turn(campaign)}>
          {state === 'paused' ? 'Resume…' : 'Pause…'}
        </Button>
      )}
      {state !== 'stopped' && state !== 'completed' && (
        <Button kind="danger" onClick={() => void stop(campaign).catch(failed)}>
          {waiting > 0 ? `Stop and cancel ${numberWords(waiting)}…` : 'Stop…'}
        </Button>
      )}
      {dialog}
    </div>
  );
}

async function stop({ id, name, waiting }: CampaignDetail): Promise<void> {
  const sure = await confirm({
    title: `Stop ${visible(name)}?`,
    text: `${waiting === 0 ? 'Nothing waits.' : `${mails(waiting, 'is', 'are')} cancelled and never leave.`} What has left stays left. A campaign that was stopped can't be brought back.`,
    action: waiting === 0 ? 'Stop it' : `Stop it and cancel ${numberWords(waiting)}`,
  });
  if (!sure) return;
  await stopCampaign(id);
  showToast({ text: `${visible(name)} is stopped.` });
}
