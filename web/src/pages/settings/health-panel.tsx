import type { DeliverySettings } from '../../api/types';
import { Field } from '../../parts/form/field';
import { NumberInput } from '../../parts/form/inputs';
import { Panel } from '../../parts/panel';
import type { PartProps } from './profile-panel';

type Health = DeliverySettings['health'];

const FIELDS: readonly {
  readonly name: keyof Health;
  readonly label: string;
  readonly hint: string;
  readonly min: number;
  readonly max: number;
  readonly step: number | 'any';
}[] = [
  { name: 'bouncePercent', label: 'Bounces, %', hint: 'of what it sent', min: 0, max: 100, step: 'any' },
  {
    name: 'complaintPercent',
    label: 'Complaints, %',
    hint: 'of what it sent',
    min: 0,
    max: 100,
    step: 'any',
  },
  { name: 'atLeast', label: 'At least', hint: 'bounces or complaints', min: 1, max: 1_000_000, step: 1 },
  { name: 'minSends', label: 'Among at least', hint: 'sends', min: 1, max: 1_000_000, step: 1 },
  { name: 'days', label: 'Within', hint: 'days', min: 1, max: 90, step: 1 },
];

const KEPT: readonly {
  readonly name: 'retentionDays' | 'auditDays';
  readonly label: string;
  readonly hint: string;
}[] = [
  {
    name: 'retentionDays',
    label: 'Finished mail, days',
    hint: 'Then contents and attempts are forgotten; of mail with a key, that key stays. What is dead or held stays.',
  },
  {
    name: 'auditDays',
    label: 'Audit log, days',
    hint: 'Who did what is kept for so long.',
  },
];

export function HealthPanel({ draft, onChange, submit }: PartProps) {
  const { delivery } = draft;
  const { health } = delivery;
  const set = (part: Partial<DeliverySettings>) => onChange({ delivery: { ...delivery, ...part } });
  return (
    <>
      <Panel
        title="Health"
        note="When an account pauses itself. Bounces are counted when a server refuses an address."
      >
        <div className="grid grid-cols-2 gap-4 p-3.5 sm:grid-cols-5">
          {FIELDS.map(({ name, label, hint, ...range }) => (
            <Field key={name} label={label} hint={hint} error={submit.faultOf(`health.${name}`)}>
              <NumberInput
                required
                {...range}
                value={health[name]}
                onChange={(value) => set({ health: { ...health, [name]: value } })}
              />
            </Field>
          ))}
        </div>
      </Panel>
      <Panel title="Retention" note="How long what is over is kept.">
        <div className="grid grid-cols-1 gap-4 p-3.5 sm:grid-cols-2">
          {KEPT.map(({ name, label, hint }) => (
            <Field key={name} label={label} hint={hint} error={submit.faultOf(name)}>
              <NumberInput
                required
                min={1}
                max={3_650}
                step={1}
                value={delivery[name]}
                onChange={(value) => set({ [name]: value })}
              />
            </Field>
          ))}
        </div>
      </Panel>
    </>
  );
}
