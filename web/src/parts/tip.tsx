import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { floats } from './floats';

/** A few words on hover and focus. Never the only place where they stand. */
export function Tip({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal container={floats}>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-80 rounded-control bg-primary px-2.5 py-1.5 text-note text-on-primary shadow-float"
        >
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
