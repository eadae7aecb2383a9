import { useState } from 'react';
import { post } from '../../api/client';
import type { Answers } from '../../api/types';
import { Button } from '../../parts/button';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { enterWorkspace } from '../../session';

/** Only for whoever administers the installation. */
export function NewWorkspacePanel() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Another workspace" className="mt-4 max-w-4xl">
      <div className="flex flex-wrap items-center gap-3 p-3.5">
        <p className="min-w-0 flex-1 basis-60 text-ink-2">
          A workspace has accounts, mail, people and keys of its own, and sees nothing of the others.
        </p>
        <Button onClick={() => setOpen(true)}>New workspace…</Button>
      </div>
      {open && <NewWorkspace onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function NewWorkspace({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const submit = useSubmit();
  const make = () =>
    submit.run(async () => {
      const { id } = await post<Answers['createWorkspace']>('/api/workspaces', { name });
      enterWorkspace(id);
    });
  return (
    <DialogForm
      title="New workspace"
      action="Make and enter it"
      submit={submit}
      fields={['name']}
      onSubmit={make}
      onClose={onClose}
    >
      <Field
        label="Name"
        error={submit.faultOf('name')}
        hint="Each name once. Commands know it by this name."
      >
        <TextInput value={name} required maxLength={100} autoFocus onChange={setName} />
      </Field>
    </DialogForm>
  );
}
