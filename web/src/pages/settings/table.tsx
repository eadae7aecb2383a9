import { Button } from '../../parts/button';

export const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
export const CELL = 'px-3.5 py-1.5 align-middle';

/** Lists of people and keys are short; this is for those that are not. */
export const MoreLink = ({
  next,
  onNext,
}: {
  readonly next: string | null;
  readonly onNext: (cursor: string) => void;
}) =>
  next === null ? null : (
    <div className="border-t border-line px-3.5 py-2">
      <Button onClick={() => onNext(next)}>Older</Button>
    </div>
  );
