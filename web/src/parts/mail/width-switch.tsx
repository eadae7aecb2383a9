import { ToggleGroup } from 'radix-ui';
import type { PreviewWidth } from './preview-frame';

const CHOICES: readonly { readonly value: PreviewWidth; readonly label: string }[] = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
];

/** How wide the screen is that the mail is shown on. */
export const WidthSwitch = ({
  value,
  onChange,
}: {
  readonly value: PreviewWidth;
  readonly onChange: (width: PreviewWidth) => void;
}) => (
  <ToggleGroup.Root
    type="single"
    value={value}
    aria-label="Width of the preview"
    onValueChange={(next) => {
      if (next === 'desktop' || next === 'phone') onChange(next);
    }}
    className="flex overflow-hidden rounded-control border border-line-strong text-table font-semibold"
  >
    {CHOICES.map((choice) => (
      <ToggleGroup.Item
        key={choice.value}
        value={choice.value}
        className="min-h-[26px] px-2.5 hover:bg-hover data-[state=on]:bg-primary data-[state=on]:text-on-primary coarse:min-h-11"
      >
        {choice.label}
      </ToggleGroup.Item>
    ))}
  </ToggleGroup.Root>
);
