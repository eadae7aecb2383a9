import { Field } from '../../parts/form/field';
import { Choice, LinesInput, TextInput } from '../../parts/form/inputs';
import type { Submit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { useNow } from '../../time/clock';
import { timeOf, zoneName } from '../../time/words';
import type { WorkspaceDraft } from './workspace';

export interface PartProps {
  readonly draft: WorkspaceDraft;
  readonly onChange: (part: Partial<WorkspaceDraft>) => void;
  readonly submit: Submit;
}

export function ProfilePanel({ draft, onChange, submit }: PartProps) {
  const { profile, timezone } = draft;
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
        <Field label="Time zone" error={submit.faultOf('timezone')} hint={<ZoneHint zone={timezone} />}>
          <Choice
            value={timezone}
            options={zonesWith(timezone)}
            onChange={(zone) => onChange({ timezone: zone })}
          />
        </Field>
      </div>
    </Panel>
  );
}

function ZoneHint({ zone }: { readonly zone: string }) {
  const now = useNow();
  return (
    <>
      It is {timeOf(now, zone)} {zoneName(zone, now)} there. “Today” and every time on these pages are of this
      zone.
    </>
  );
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The stored one may be another name for one of these. */
const zonesWith = (zone: string) =>
  (ZONES.includes(zone) ? ZONES : [zone, ...ZONES]).map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }));
