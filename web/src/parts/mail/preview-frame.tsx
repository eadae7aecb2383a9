import { useEffect, useId, useState } from 'react';
import { useMe } from '../../session';
import { isDark, useTheme } from '../../theme/theme';
import { classNames } from '../class-names';

export type PreviewWidth = 'desktop' | 'phone';

interface Props {
  /** `/api/messages/:id/preview` or `/api/inbox/:id/preview`. */
  readonly path: string;
  /** What is shown is not stored anywhere: this is posted there, and the answer is the mail. */
  readonly json?: string;
  readonly subject: string;
  /** How many it would have fetched from elsewhere. */
  readonly remoteImages: number;
  readonly width?: PreviewWidth;
  readonly className?: string;
}

/**
 * A mail's html in a frame that may do nothing: no script, no origin, nothing fetched; links say where they lead and
 * lead nowhere. The server sends it as a document with a policy of its own. A frame like this can't be measured from
 * outside, so it scrolls by itself.
 */
export function PreviewFrame({ path, json, subject, remoteImages, width = 'desktop', className }: Props) {
  const { workspaceId } = useMe();
  const name = useId();
  const source = `${path}?workspace=${encodeURIComponent(workspaceId)}`;
  useEffect(() => {
    if (json !== undefined) postInto(name, source, json);
  }, [name, source, json]);
  useTheme();
  const [trueColours, setTrueColours] = useState(false);
  const dark = isDark();
  return (
    <div className={classNames('flex min-h-0 flex-col gap-2', className)}>
      <iframe
        // The frame's own history would turn Back into the mail before: another mail is another frame.
        key={`${path} ${json ?? ''}`}
        {...(json === undefined ? { src: source } : { name })}
        title={`The mail: ${subject}`}
        sandbox=""
        referrerPolicy="no-referrer"
        className={classNames(
          'min-h-96 w-full flex-1 rounded-panel border border-line bg-white',
          width === 'phone' && 'mx-auto max-w-[375px]',
          dark && !trueColours && 'brightness-[.86]',
        )}
      />
      {(remoteImages > 0 || dark) && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-note text-ink-2">
          {remoteImages > 0 && (
            <span>
              {remoteImages === 1 ? '1 remote image is' : `${String(remoteImages)} remote images are`} not
              loaded: its sender would learn who looked.
            </span>
          )}
          {dark && (
            <label className="flex min-h-6 items-center gap-1.5 coarse:min-h-11">
              <input
                type="checkbox"
                checked={trueColours}
                onChange={(event) => setTrueColours(event.target.checked)}
              />
              True colours
            </label>
          )}
        </div>
      )}
    </div>
  );
}

/** A frame can ask by GET alone, unless a form is posted into it. */
function postInto(frame: string, action: string, json: string): void {
  const form = Object.assign(document.createElement('form'), {
    ...{ method: 'post', action, target: frame, hidden: true },
  });
  form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'json', value: json }));
  document.body.append(form);
  form.submit();
  form.remove();
}
