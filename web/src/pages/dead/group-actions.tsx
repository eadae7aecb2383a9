import type { DeadGroup } from '../../api/types';
import { Button } from '../../parts/button';
import { numberWords } from '../../parts/number-words';
import { UNDO_AT_MOST, type DeadActions } from './actions';

interface Props {
  readonly group: DeadGroup;
  readonly actions: DeadActions;
  /** The row that is worked on: its likely action stands out. */
  readonly current: boolean;
  /** There is room for one. */
  readonly only?: boolean;
}

/** The likely one first, with its count. An ellipsis where a question follows. */
export function GroupActions({ group, actions, current, only = false }: Props) {
  const busy = actions.progress !== undefined;
  const n = numberWords(group.count);
  const asks = group.outlook === 'change';
  const retry = (first: boolean) => (
    <Button
      key="retry"
      kind={first ? (current ? 'primary' : 'plain') : 'quiet'}
      disabled={busy}
      aria-label={`Retry ${n} of ${group.code}${asks ? '…' : ''}`}
      {...(current && first && { hint: 'r' })}
      onClick={() => actions.retry(group)}
    >
      {first ? `Retry ${n}` : 'Retry'}
      {asks && '…'}
    </Button>
  );
  const dismiss = (first: boolean) => (
    <Button
      key="dismiss"
      kind={first ? 'plain' : 'quiet'}
      disabled={busy}
      aria-label={`Dismiss ${n} of ${group.code}${group.count > UNDO_AT_MOST ? '…' : ''}`}
      onClick={() => actions.dismiss(group)}
    >
      {first || group.count <= UNDO_AT_MOST ? `Dismiss ${n}` : 'Dismiss'}
      {group.count > UNDO_AT_MOST && '…'}
    </Button>
  );
  const [likely, other] = asks ? [dismiss(true), retry(false)] : [retry(true), dismiss(false)];
  return (
    <div className="flex items-center justify-end gap-1 sm:max-xl:flex-col sm:max-xl:items-end">
      {likely}
      {!only && other}
    </div>
  );
}
