import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createCampaign } from '../../api/campaigns';
import { ofAccounts } from '../../api/queries';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';

/** A draft needs a name; whatever else it needs, the wizard asks for. */
export function NewCampaign({ onClose }: { readonly onClose: () => void }) {
  const { data } = useQuery({ ...ofAccounts(), staleTime: 60_000 });
  const [name, setName] = useState('');
  const submit = useSubmit();
  const navigate = useNavigate();
  const active = data?.items.filter(({ status, type }) => status === 'active' && type === 'email') ?? [];
  const first = active.find(({ isDefault }) => !isDefault) ?? active[0] ?? data?.items[0];
  const make = () =>
    submit.run(async () => {
      if (!first) throw new Error('There is no account to send from. Add one first.');
      const { id } = await createCampaign({ name: name.trim(), accountIds: [first.id] });
      await navigate({
        to: '/campaigns/$campaignId/launch/$step',
        params: { campaignId: id, step: 'people' },
      });
    });
  return (
    <DialogForm
      title="New campaign"
      action="Make a draft"
      submit={submit}
      fields={['name']}
      onSubmit={make}
      onClose={onClose}
    >
      <p>
        A campaign sends a sequence to many people, at permitted hours, from permitted accounts. Nothing
        leaves before you press Launch.
      </p>
      <Field label="Name" error={submit.faultOf('name')} hint="For you; recipients do not see it.">
        <TextInput value={name} required maxLength={100} autoFocus onChange={setName} />
      </Field>
      {data && !first && (
        <p>
          There is no account to send from yet. <Link to="/accounts">Add an account</Link>
        </p>
      )}
    </DialogForm>
  );
}
