import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { floats } from './floats';

interface Props {
  /** A button. */
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}

/** Not modal: the modal one locks scrolling with an inline style sheet, which our content security policy refuses. */
export const Menu = ({ trigger, children, align = 'start' }: Props) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal container={floats}>
      <DropdownMenu.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        className="z-30 max-h-80 min-w-44 overflow-y-auto rounded-panel border border-line bg-surface p-1 text-table shadow-float"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

const ITEM =
  'flex min-h-8 cursor-default items-center gap-2 rounded-control px-2.5 select-none data-[highlighted]:bg-sel data-[highlighted]:outline-none coarse:min-h-11';

export const MenuItem = ({
  onSelect,
  children,
}: {
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) => (
  <DropdownMenu.Item onSelect={onSelect} className={ITEM}>
    {children}
  </DropdownMenu.Item>
);

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** Stays open: one rarely ticks only one. */
export const MenuCheck = ({ checked, onChange, children }: CheckProps) => (
  <DropdownMenu.CheckboxItem
    checked={checked}
    onCheckedChange={onChange}
    onSelect={(event) => event.preventDefault()}
    className={ITEM}
  >
    <span
      aria-hidden
      className={classNames(
        'grid size-4 place-items-center rounded-mark border border-line-strong text-[11px] leading-none',
        checked && 'border-primary bg-primary text-on-primary',
      )}
    >
      {checked && '✓'}
    </span>
    {children}
  </DropdownMenu.CheckboxItem>
);
