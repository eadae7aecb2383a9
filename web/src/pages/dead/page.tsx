import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ofDeadGroups, type DeadFilter } from '../../api/queries';
import type { DeadLetters } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { usePhone } from '../../parts/media';
import { numberWords } from '../../parts/number-words';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { useMay } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { TopBar } from '../../shell/top-bar';
import { dayOf } from '../../time/words';
import { useZone } from '../../time/zone';
import { useDeadActions } from './actions';
import { Filters } from './filters';
import { GroupCards } from './group-cards';
import { GroupTable } from './group-table';
import { ProgressBar } from './progress-bar';

/** How many causes, and which of them are over? */
export function DeadPage() {
  const { transport, class: kind, since } = useSearch({ strict: false });
  const filter: DeadFilter = { transport, class: kind, since };
  const { data, error, refetch } = useQuery(ofDeadGroups(filter));
  return (
    <>
      <TopBar title="Dead letters" />
      <div className="flex flex-col gap-3.5 p-5 max-sm:p-3.5">
        {data ? (
          <Letters letters={data} filter={filter} />
        ) : error ? (
          <Failure error={error} what="the dead letters" onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} height={41} />
        )}
      </div>
    </>
  );
}

function Letters({ letters, filter }: { readonly letters: DeadLetters; readonly filter: DeadFilter }) {
  const navigate = useNavigate();
  const { fingerprint: open } = useParams({ strict: false });
  const actions = useDeadActions();
  const may = useMay('operate');
  const offline = useOffline();
  const phone = usePhone();
  const [current, setCurrent] = useState<string>();
  const { summary, items, transports, classes } = letters;
  const groups = items.filter(({ fingerprint }) => !actions.leaving.has(fingerprint));
  const acts = may && offline === undefined ? actions : undefined;
  const narrowed = Object.values(filter).some((value) => value !== undefined);
  const toggle = (fingerprint: string) =>
    void navigate(
      open === fingerprint
        ? { to: '/dead', search: filter as Record<string, string> }
        : { to: '/dead/$fingerprint', params: { fingerprint }, search: filter as Record<string, string> },
    );
  const choose = (next: DeadFilter) => void navigate({ to: '/dead', search: next as Record<string, string> });
  const here = groups.find(({ fingerprint }) => fingerprint === (current ?? open));
  const walk = (by: 1 | -1) => {
    const at = here ? groups.indexOf(here) : by === 1 ? -1 : groups.length;
    const next = groups[at + by];
    if (!next) return;
    setCurrent(next.fingerprint);
    document.getElementById(`open-${next.fingerprint}`)?.focus();
  };
  useShortcuts([
    { keys: 'j', does: 'next cause', run: () => walk(1) },
    { keys: 'k', does: 'previous cause', run: () => walk(-1) },
    ...(here ? [{ keys: 'o', does: 'open or close the cause', run: () => toggle(here.fingerprint) }] : []),
    ...(here && acts && !acts.progress
      ? [
          { keys: 'r', does: 'retry the cause', run: () => acts.retry(here) },
          { keys: 'd', does: 'dismiss the cause', run: () => acts.dismiss(here) },
        ]
      : []),
    ...(open === undefined ? [] : [{ keys: 'Escape', does: 'close the cause', run: () => toggle(open) }]),
  ]);
  if (items.length === 0 && !narrowed) return <NothingDead lastDismissedAt={letters.lastDismissedAt} />;
  const List = phone ? GroupCards : GroupTable;
  return (
    <>
      {items.length > 0 && (
        <Plate
          level={summary.level}
          sentence={summary.sentence}
          evidence={summary.evidence}
          {...(acts &&
            summary.retryable.count > 0 && {
              action: (
                <Button
                  kind="primary"
                  busy={acts.progress !== undefined}
                  onClick={() => acts.retryOver(summary)}
                >
                  Retry the {numberWords(summary.retryable.count)} that{' '}
                  {summary.retryable.count === 1 ? 'looks' : 'look'} over
                </Button>
              ),
            })}
        />
      )}
      {actions.progress && <ProgressBar progress={actions.progress} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Filters filter={filter} transports={transports} classes={classes} onChange={choose} />
        <span className="text-note text-ink-2">Most letters first</span>
      </div>
      {items.length === 0 ? (
        <Empty
          title="No dead letters match."
          actions={<Button onClick={() => choose({})}>Drop the filters</Button>}
        >
          {transports.length > 0 && 'There are others: drop a filter to see them.'}
        </Empty>
      ) : (
        <List
          groups={groups}
          open={open}
          current={current}
          onToggle={toggle}
          onCurrent={setCurrent}
          actions={acts}
        />
      )}
    </>
  );
}

function NothingDead({ lastDismissedAt }: { readonly lastDismissedAt: string | null }) {
  const zone = useZone();
  return (
    <Empty title="No dead letters.">
      {lastDismissedAt === null
        ? 'Whatever was accepted has left, waits, or was decided about.'
        : `The last one was dismissed on ${dayOf(Date.parse(lastDismissedAt), zone)}.`}
    </Empty>
  );
}
