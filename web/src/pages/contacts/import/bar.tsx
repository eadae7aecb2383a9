export const Bar = ({
  value,
  max,
  label,
}: {
  readonly value: number;
  readonly max: number;
  readonly label: string;
}) => (
  <progress
    value={value}
    max={max}
    aria-label={label}
    className="block h-1.5 w-full appearance-none overflow-hidden rounded-mark bg-grid [&::-moz-progress-bar]:bg-bar [&::-webkit-progress-bar]:bg-grid [&::-webkit-progress-value]:bg-bar"
  />
);
