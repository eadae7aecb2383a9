import type { EventDetail } from '../../api/types';
import { CopyButton } from '../../parts/copy';
import { visible } from '../../parts/visible';

const textOf = ({ payload }: EventDetail): string => JSON.stringify(payload, null, 2);
const FIRST_LINES = 12;

/** The beginning of it, beside why. */
export function PayloadBox({ event }: { readonly event: EventDetail }) {
  const lines = textOf(event).split('\n');
  const text = lines.slice(0, FIRST_LINES).join('\n');
  return (
    <Frame text={text} whole={textOf(event)} note={lines.length > FIRST_LINES ? 'its first lines' : ''} />
  );
}

/** All of it. */
export const Payload = ({ event }: { readonly event: EventDetail }) => (
  <Frame text={textOf(event)} whole={textOf(event)} note="" />
);

const Frame = ({
  text,
  whole,
  note,
}: {
  readonly text: string;
  readonly whole: string;
  readonly note: string;
}) => (
  <div className="mt-2 rounded-panel border border-line bg-sunken px-3 py-2">
    <div className="mb-1 flex items-center text-note text-ink-2">
      <span className="flex-1">Payload{note !== '' && `, ${note}`}</span>
      <CopyButton text={whole} name="the payload" />
    </div>
    <pre dir="ltr" className="text-[12px] leading-[17px] wrap-anywhere whitespace-pre-wrap">
      {visible(text, { lines: true })}
    </pre>
  </div>
);
