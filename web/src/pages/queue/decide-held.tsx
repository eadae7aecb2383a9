import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { numberWords } from '../../parts/number-words';

interface Props {
  /** Undefined: all that match. */
  readonly count: number | undefined;
  readonly onDecide: (decision: 'sent' | 'again') => void;
  readonly onClose: () => void;
}

/** The same question about many: they left, or they did not. */
export function DecideHeld({ count, onDecide, onClose }: Props) {
  const n = count === undefined ? 'all that match' : numberWords(count);
  return (
    <Dialog
      title={`Decide ${n} held`}
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            Back
          </Button>
          <Button onClick={() => onDecide('again')}>Send {n} again…</Button>
          <Button kind="primary" onClick={() => onDecide('sent')}>
            {n === '1' ? 'It was sent' : 'They were sent'}
          </Button>
        </>
      }
    >
      <p className="max-w-prose">
        Nobody knows whether they left. “Sent” ends them as sent. “Again” may give each recipient two copies
        with the same Message-ID.
      </p>
    </Dialog>
  );
}
