import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Message } from '../../../api/types';
import { CopyButton } from '../../../parts/copy';
import { StateChip } from '../../../parts/glyphs';
import { Tip } from '../../../parts/tip';
import { Untrusted } from '../../../parts/untrusted';
import { Time } from '../../../time/time';
import { LANE_LABELS } from '../columns';

interface Props {
  readonly message: Message;
  readonly accountName: string | undefined;
  readonly headingId: string;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly onClose: () => void;
}

/** State, subject, people; the focus comes here with each message. */
export function Head({ message, accountName, headingId, onPrevious, onNext, onClose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [message.id]);
  const { to, subject } = message;
  return (
    <div>
      <div className="flex items-center gap-1 text-note text-ink-2">
        <span className="mr-1.5 text-table text-ink">
          <StateChip state={message.state} />
        </span>
        <span className="flex min-w-0 flex-1 items-center truncate">
          <span className="truncate">
            {LANE_LABELS[message.lane]}
            {accountName !== undefined && (
              <>
                {' · '}
                <Untrusted text={accountName} />
              </>
            )}
            {' · '}
            <code className="text-[12px]">{message.id}</code>
          </span>
          <CopyButton text={message.id} name="the id" />
        </span>
        <IconButton words="Previous, k" onClick={onPrevious}>
          <ChevronUp size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton words="Next, j" onClick={onNext}>
          <ChevronDown size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton words="Close, Esc" onClick={onClose}>
          <X size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
      <h2
        ref={heading}
        id={headingId}
        tabIndex={-1}
        className="mt-1 text-[17px] leading-6 font-[680] break-words outline-none"
      >
        <Untrusted text={subject ?? 'No subject'} />
      </h2>
      <p className="text-table break-words text-ink-2">
        {to.name !== null && to.name !== '' && (
          <>
            <Untrusted text={to.name} />
            {', '}
          </>
        )}
        <Untrusted text={to.email} />
        {' · kept '}
        <Time at={message.createdAt} label="Accepted" />
      </p>
    </div>
  );
}

function IconButton({
  words,
  onClick,
  children,
}: {
  readonly words: string;
  readonly onClick: (() => void) | undefined;
  readonly children: React.ReactNode;
}) {
  return (
    <Tip text={words}>
      <button
        type="button"
        aria-label={words.split(',')[0]}
        aria-disabled={onClick === undefined || undefined}
        onClick={onClick}
        className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-hover hover:text-ink aria-disabled:opacity-40 coarse:size-11"
      >
        {children}
      </button>
    </Tip>
  );
}
