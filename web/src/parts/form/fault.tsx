import { classNames } from '../class-names';
import { StateGlyph } from '../glyphs';

/** What a server said about the whole form. */
export const Fault = ({
  text,
  className,
}: {
  readonly text: string | undefined;
  readonly className?: string;
}) => (
  <div role="alert" className={classNames('empty:absolute', className)}>
    {text !== undefined && (
      <div className="flex gap-2.5 rounded-control bg-tint-dead px-3 py-2">
        <span className="mt-0.5">
          <StateGlyph state="dead" />
        </span>
        <span className="min-w-0 break-words">{text}</span>
      </div>
    )}
  </div>
);
