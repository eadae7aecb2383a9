import { useState } from 'react';
import { Button } from '../../../parts/button';
import { visible } from '../../../parts/visible';
import { Bar } from './bar';
import { letGo, useRefused, useSendFile, useUpload } from './file-in-hand';
import { Reading } from './reading';

const FLOATS =
  'fixed inset-x-4 bottom-20 z-30 mx-auto max-w-lg rounded-panel border border-line bg-surface px-4 py-3 text-table shadow-float';

/** Nothing goes on without this page before the file is there. */
export function Uploading() {
  const upload = useUpload();
  const refused = useRefused();
  if (!upload) return refused ? <Refused key={refused.why} {...refused} /> : null;
  return (
    <div className={FLOATS}>
      <Bar value={upload.share} max={1} label="Sent of the file" />
      <p className="mt-2 wrap-anywhere">
        {upload.share < 1
          ? `Sending ${visible(upload.name)}, ${String(Math.floor(upload.share * 100))} %.`
          : `Reading ${visible(upload.name)}.`}{' '}
        <span className="text-ink-2">Keep this page open until it is there.</span>
      </p>
    </div>
  );
}

/** The browser still has it: it may only have to be read in another way. */
function Refused({ file, how: before, why }: NonNullable<ReturnType<typeof useRefused>>) {
  const [how, choose] = useState(before);
  const send = useSendFile();
  return (
    <section aria-label={`${visible(file.name)} was not taken`} className={FLOATS}>
      <p role="alert" className="wrap-anywhere">
        <strong>{visible(file.name)}:</strong> {visible(why)}
      </p>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        <Reading how={how} onChange={choose} unknown />
      </div>
      <div className="mt-3 flex justify-end gap-2">
        <Button kind="quiet" onClick={letGo}>
          Leave it
        </Button>
        <Button onClick={() => send(file, how)}>Send it again</Button>
      </div>
    </section>
  );
}
