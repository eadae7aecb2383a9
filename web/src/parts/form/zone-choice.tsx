import { Choice } from './inputs';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The stored one may be another name for one of these. */
const zonesWith = (zone: string) =>
  (ZONES.includes(zone) ? ZONES : [zone, ...ZONES]).map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }));

interface Props {
  readonly value: string;
  readonly onChange: (zone: string) => void;
  readonly className?: string;
  readonly 'aria-label'?: string;
}

export const ZoneChoice = ({ value, ...rest }: Props) => (
  <Choice value={value} options={zonesWith(value)} {...rest} />
);
