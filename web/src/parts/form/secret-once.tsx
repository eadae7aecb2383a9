import { useState } from 'react';
import { Button } from '../button';
import { toClipboard } from '../copy';
import { Dialog } from '../dialog';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A secret that nobody can show again: it closes only when asked to. */
export function SecretOnce({ title, text, secret, onClose }: Props) {
  const [copied, setCopied] = useState<boolean>();
  const copy = () => void toClipboard(secret).then(setCopied);
  return (
    <Dialog
      insists
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>I have it</Button>
          <Button kind="primary" autoFocus onClick={copy}>
            {copied === true ? 'Copied' : 'Copy'}
          </Button>
        </>
      }
    >
      <p className="max-w-prose">{text}</p>
      <code className="mt-3 block rounded-control border border-line-strong bg-sunken px-3 py-2.5 break-all select-all">
        {secret}
      </code>
      <p role="status" className={copied === false ? 'mt-2' : 'sr-only'}>
        {copied === true && 'Copied.'}
        {copied === false && 'The browser did not allow copying. Select it and copy it by hand.'}
      </p>
    </Dialog>
  );
}
