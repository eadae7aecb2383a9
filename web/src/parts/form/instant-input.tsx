import { instantOf, localOf } from '../../time/local';
import { classNames } from '../class-names';
import { CONTROL, useFieldNames } from './field';

interface Props {
  /** As the API has it; null: none. What is not touched stays to the second. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** By whose clock it is read and typed. */
  readonly zone: string;
}

/** The browser's own field for a date with a time. */
export const InstantInput = ({ value, onChange, zone }: Props) => (
  <input
    type="datetime-local"
    {...useFieldNames()}
    value={value === null ? '' : localOf(Date.parse(value), zone)}
    onChange={(event) => {
      const instant = instantOf(event.target.value, zone);
      onChange(instant === undefined ? null : new Date(instant).toISOString());
    }}
    className={classNames(CONTROL, 'figures max-w-64')}
  />
);
