import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { enrol, ofCampaigns, scheduleCampaign } from '../../api/campaigns';
import type { Campaign } from '../../api/types';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { Choice } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { numberWords } from '../../parts/number-words';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';

const people = (n: number): string => (n === 1 ? '1 person' : `${numberWords(n)} people`);

/** What becomes of who is added, by what the campaign does. */
export const TAKES: Partial<Record<Campaign['state'], string>> = {
  draft: 'It is a draft: nothing leaves before it is launched.',
  running: 'It runs: they get their times at once, behind those who wait.',
  paused: 'It is paused: they get their times when it is resumed.',
};

interface Props {
  readonly contactIds: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Puts people at the end of the line of a campaign that takes some. */
export function AddToCampaign({ contactIds, onClose, onDone }: Props) {
  const { data } = useQuery(ofCampaigns());
  const open = (data?.items ?? []).filter(({ state }) => TAKES[state] !== undefined);
  const [chosen, setChosen] = useState<string>();
  const submit = useSubmit();
  const campaign = open.find(({ id }) => id === chosen) ?? open[0];
  const add = () =>
    submit.run(async () => {
      if (!campaign) return;
      const { enrolled, skipped } = await enrol(campaign.id, contactIds);
      if (campaign.state === 'running' && enrolled > 0) await scheduleCampaign(campaign.id);
      const known =
        skipped === 0 ? '' : ` ${people(skipped)} ${skipped === 1 ? 'was' : 'were'} in it already.`;
      showToast({ text: `Added ${people(enrolled)} to ${visible(campaign.name)}.${known}` });
      onDone();
    });
  return (
    <DialogForm
      title={`Add ${people(contactIds.length)} to a campaign`}
      action={`Add ${people(contactIds.length)}`}
      submit={submit}
      fields={['contactIds']}
      onSubmit={add}
      onClose={onClose}
    >
      {data && !campaign ? (
        <p>No campaign takes people now. Make one first, then add them here or in its wizard.</p>
      ) : (
        <Field label="Campaign" hint={campaign && TAKES[campaign.state]}>
          <Choice
            value={campaign?.id ?? ''}
            onChange={setChosen}
            options={open.map(({ id, name }) => ({ value: id, label: visible(name) }))}
          />
        </Field>
      )}
    </DialogForm>
  );
}
