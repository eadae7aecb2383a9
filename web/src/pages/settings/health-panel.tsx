import type { DeliverySettings } from '../../api/settings';
import { Field } from '../../parts/form/field';
import { NumberInput } from '../../parts/form/inputs';
import { Panel } from '../../parts/panel';
import { NOT_YET } from './delivery-words';
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

export function HealthPanel({ draft, onChange, submit }: PartProps) {
  const { delivery } = draft;
  const { health } = delivery;
  const set = (part: Partial<DeliverySettings>) => onChange({ delivery: { ...delivery, ...part } });
  return (
    <>
      <Panel title="Health" note={`When an account is to pause itself. ${NOT_YET}`}>
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
      <Panel title="Retention" note={NOT_YET}>
        <div className="p-3.5">
          <Field
            label="Days"
            error={submit.faultOf('retentionDays')}
            hint="Contents and attempts of finished mail are to be forgotten after so long. What is dead or held stays."
          >
            <NumberInput
              required
              min={1}
              max={3_650}
              step={1}
              value={delivery.retentionDays}
              onChange={(value) => set({ retentionDays: value as number })}
            />
          </Field>
        </div>
      </Panel>
    </>
  );
}
