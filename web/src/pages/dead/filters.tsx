import { DropdownMenu } from 'radix-ui';
import { Check, ChevronDown } from 'lucide-react';
import type { DeadFilter } from '../../api/queries';
import { Menu, MenuItem } from '../../parts/menu';
import { transportLabel } from '../../parts/transport-label';
import { classLabel, SINCE } from './labels';

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface Props {
  readonly filter: DeadFilter;
  readonly transports: readonly string[];
  readonly classes: readonly string[];
  readonly onChange: (filter: DeadFilter) => void;
}

export const Filters = ({ filter, transports, classes, onChange }: Props) => (
  <div className="flex flex-wrap items-center gap-2">
    <Choose
      name="Transport"
      value={filter.transport}
      choices={transports.map((value) => ({ value, label: transportLabel(value) }))}
      onChoose={(transport) => onChange({ ...filter, transport })}
    />
    <Choose
      name="Class"
      value={filter.class}
      choices={classes.map((value) => ({ value, label: classLabel(value) }))}
      onChoose={(value) => onChange({ ...filter, class: value })}
    />
    <Choose
      name="Died"
      value={filter.since}
      choices={SINCE}
      onChoose={(since) => onChange({ ...filter, since })}
    />
  </div>
);

function Choose({
  name,
  value,
  choices,
  onChoose,
}: {
  readonly name: string;
  readonly value: string | undefined;
  readonly choices: readonly Choice[];
  readonly onChoose: (value: string | undefined) => void;
}) {
  const any = { value: undefined, label: name === 'Died' ? 'at any time' : 'any' };
  const shown = choices.find((choice) => choice.value === value)?.label ?? value ?? any.label;
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="inline-flex min-h-[26px] items-center gap-1.5 rounded-control border border-line-strong bg-surface px-2 text-note hover:bg-hover coarse:min-h-11"
        >
          {name} <strong className="font-[660]">{shown}</strong>
          <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
        </button>
      }
    >
      <DropdownMenu.Label className="px-2.5 py-1 text-note text-ink-2">{name}</DropdownMenu.Label>
      {[any, ...choices].map((choice) => (
        <MenuItem key={choice.label} onSelect={() => onChoose(choice.value)}>
          <Check size={14} aria-hidden className={choice.value === value ? '' : 'invisible'} />
          {choice.label}
        </MenuItem>
      ))}
    </Menu>
  );
}
