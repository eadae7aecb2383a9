import { Link } from '@tanstack/react-router';
import { MOST_WAITING } from '../../api/accounts';
import { numberWords } from '../../parts/number-words';

const words = (n: number): string => (n > MOST_WAITING ? `${numberWords(MOST_WAITING)}+` : numberWords(n));

const labelWords = (n: number, [one, many]: Props['label']): string => `${words(n)} ${n === 1 ? one : many}`;

interface Props {
  readonly n: number | undefined;
  readonly accountId: string;
  /** What is counted, in full, of one and of many: "mail waits", "mails wait". */
  readonly label: readonly [one: string, many: string];
}

/** A number is a door to what it counts; nothing is no door. */
export const QueueCount = ({ n, accountId, label, state }: Props & { readonly state: string }) =>
  n === undefined || n === 0 ? (
    <Nothing n={n} />
  ) : (
    <Link
      to="/queue"
      search={{ accountId, state }}
      aria-label={labelWords(n, label)}
      className="underline underline-offset-3"
    >
      {words(n)}
    </Link>
  );

const Nothing = ({ n }: { readonly n: number | undefined }) => (
  <span className="text-ink-3">{n === undefined ? '' : '0'}</span>
);
