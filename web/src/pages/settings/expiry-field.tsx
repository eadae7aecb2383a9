import { useState } from 'react';
import { Beside, Field } from '../../parts/form/field';
import { Choice, NumberInput } from '../../parts/form/inputs';
import { expiryEffect } from './delivery-words';

const UNITS = [
  { value: 'never', label: 'Never', seconds: 0 },
  { value: 'minutes', label: 'minutes', seconds: 60 },
  { value: 'hours', label: 'hours', seconds: 3_600 },
  { value: 'days', label: 'days', seconds: 86_400 },
] as const;
type Unit = (typeof UNITS)[number]['value'];

interface Props {
  readonly seconds: number | null;
  readonly error: string | undefined;
  readonly onChange: (seconds: number | null) => void;
}

/** The largest unit that it is a whole number of. */
const unitOf = (seconds: number | null): Unit =>
  seconds === null
    ? 'never'
    : (UNITS.findLast((unit) => unit.seconds > 0 && seconds % unit.seconds === 0)?.value ?? 'minutes');

export function ExpiryField({ seconds, error, onChange }: Props) {
  const [chosen, setChosen] = useState<Unit>();
  const unit =
    seconds === null ? 'never' : chosen === undefined || chosen === 'never' ? unitOf(seconds) : chosen;
  const size = UNITS.find(({ value }) => value === unit)?.seconds ?? 60;
  const choose = (next: Unit) => {
    setChosen(next);
    const count = seconds === null ? 1 : Math.max(1, Math.round(seconds / size));
    const length = UNITS.find(({ value }) => value === next)?.seconds ?? 60;
    onChange(next === 'never' ? null : count * length);
  };
  return (
    <Field label="Too late to be useful after" error={error} hint={expiryEffect(seconds)}>
      <div className="flex gap-2">
        {seconds !== null && (
          <Beside>
            <NumberInput
              required
              aria-label="How many"
              min={1 / 60}
              max={(366 * 86_400) / size}
              step="any"
              value={Math.round((seconds / size) * 100) / 100}
              onChange={(count) => onChange(Math.max(1, Math.round((count ?? 1) * size)))}
            />
          </Beside>
        )}
        <Choice value={unit} options={UNITS} onChange={choose} className="max-w-36" />
      </div>
    </Field>
  );
}
