import { Field } from '../../parts/form/field';
import { LinesInput, TextInput } from '../../parts/form/inputs';
import type { Submit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import type { WorkspaceDraft } from './workspace';

export interface PartProps {
  readonly draft: WorkspaceDraft;
  readonly onChange: (part: Partial<WorkspaceDraft>) => void;
  readonly submit: Submit;
}

export function ProfilePanel({ draft, onChange, submit }: PartProps) {
  const { profile } = draft;
  const set = (part: Partial<typeof profile>) => onChange({ profile: { ...profile, ...part } });
  return (
    <Panel title="Workspace">
      <div className="grid gap-4 p-3.5 sm:grid-cols-2">
        <Field
          label="Name"
          error={submit.faultOf('name')}
          hint="What people call it. Commands know it by the name that it was made with."
        >
          <TextInput value={profile.name} required maxLength={100} onChange={(name) => set({ name })} />
        </Field>
        <Field
          label="Language"
          error={submit.faultOf('defaultLocale')}
          hint="Where nothing else is said: en, de, fr-CA."
        >
          <TextInput
            value={profile.defaultLocale}
            required
            maxLength={35}
            className="max-w-32"
            onChange={(defaultLocale) => set({ defaultLocale })}
          />
        </Field>
        <Field
          label="Postal address"
          error={submit.faultOf('postalAddress')}
          hint="As on a letter. Stands in the footer of campaign mails, where the law wants it."
        >
          <LinesInput
            value={profile.postalAddress ?? ''}
            maxLength={500}
            onChange={(text) => set({ postalAddress: text === '' ? null : text })}
          />
        </Field>
      </div>
    </Panel>
  );
}
