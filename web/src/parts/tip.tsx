import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { floats } from './floats';

interface Props {
  /** Asked for when it is shown, where it takes time to say. */
  readonly text: string | (() => string);
  readonly children: ReactNode;
}

/** A few words on hover and focus. Never the only place where they stand. */
export function Tip({ text, children }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal container={floats}>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-80 rounded-control bg-primary px-2.5 py-1.5 text-note text-on-primary shadow-float"
        >
          <Words text={text} />
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** Drawn only while it is open. */
const Words = ({ text }: Pick<Props, 'text'>) => (typeof text === 'string' ? text : text());
