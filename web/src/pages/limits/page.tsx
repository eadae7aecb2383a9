import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fixLimits, ofLimits, ofNearness } from '../../api/limits';
import type { LimitsCheck, Violation } from '../../api/types';
import { Button, buttonLook } from '../../parts/button';
import { BeforeAfter } from '../../parts/charts/before-after';
import { confirm } from '../../parts/confirm';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { counted } from '../../parts/number-words';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { faultWords } from '../../parts/fault-words';
import { useMay } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { TopBar } from '../../shell/top-bar';
import { secondsOf } from '../../time/words';
import { useZone } from '../../time/zone';
import { LeftOver } from './left';
import { withMoves } from './limit-words';
import { Near } from './near';
import { Violations } from './violations';

/** More than this is asked first. */
const ASKED_ABOVE = 25;

/** Is anything planned over a limit, and what would the fix move? */
export function LimitsPage() {
  const { data, error, refetch, isFetching } = useQuery(ofLimits());
  return (
    <>
      <TopBar title="Limits" />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {data ? (
          <Checked {...data} checking={isFetching} onCheck={() => void refetch()} />
        ) : error ? (
          <Failure error={error} what="the limits" onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={5} />
        )}
      </div>
    </>
  );
}

interface CheckedProps {
  readonly check: LimitsCheck;
  readonly at: number;
  readonly checking: boolean;
  readonly onCheck: () => void;
}

function Checked({ check: { plate, items, left }, at, checking, onCheck }: CheckedProps) {
  // What was unticked stays so, whatever is found anew.
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const [moving, setMoving] = useState(false);
  const offline = useOffline();
  const may = useMay('operate') && offline === undefined;
  const ticked = items.filter(({ id }) => !unticked.has(id));
  const mails = ticked.reduce((sum, { over }) => sum + over, 0);
  const move = async () => {
    if (mails > ASKED_ABOVE && !(await confirm(question(mails)))) return;
    setMoving(true);
    try {
      const { moved, left } = await fixLimits(ticked.map(({ id }) => id));
      const none = left > 0 ? ` For ${counted(left, 'mail')} there is no room in sight.` : '';
      showToast({ text: `Moved ${counted(moved, 'mail')}.${none}` });
    } catch (error) {
      showToast({ text: faultWords(error), tone: 'fault' });
    } finally {
      setMoving(false);
    }
  };
  const change = (ids: readonly string[], tick: boolean) => {
    const next = new Set(unticked);
    for (const id of ids)
      if (tick) next.delete(id);
      else next.add(id);
    setUnticked(next);
  };
  return (
    <>
      <Plate
        {...plate}
        {...(may &&
          mails > 0 && {
            action: (
              <Button kind="primary" busy={moving} onClick={() => void move()}>
                Move {counted(mails, 'mail')}
                {mails > ASKED_ABOVE && '…'}
              </Button>
            ),
          })}
        cells={[<CheckedAt key="at" at={at} />]}
      />
      {left.length > 0 && <LeftOver left={left} />}
      {items.length === 0 ? (
        <NothingOver checking={checking} onCheck={onCheck} />
      ) : (
        <>
          <Violations
            items={items}
            unticked={unticked}
            onTick={may ? change : undefined}
            aside={
              <Button busy={checking} onClick={onCheck}>
                Check again
              </Button>
            }
          />
          {ticked.length > 0 && <FixEffect ticked={ticked} />}
        </>
      )}
      <Near />
      <p className="text-note text-ink-2">
        The limits themselves stand at each of the <Link to="/accounts">accounts</Link> and in{' '}
        <Link to="/settings/sending">Settings, Sending</Link>. From the command line:{' '}
        <code>pillarbox limits check</code>
      </p>
    </>
  );
}

function FixEffect({ ticked }: { readonly ticked: readonly Violation[] }) {
  const { data } = useQuery(ofNearness());
  const later = ticked
    .flatMap(({ moves }) => moves)
    .filter(({ from, to }) => to !== null && to !== from)
    .reduce((sum, { count }) => sum + count, 0);
  return (
    <BeforeAfter
      title="What the fix would do"
      note="mails a day, all accounts"
      days={withMoves(data?.days ?? [], ticked)}
      words={['now', 'after']}
    >
      <p className="px-3.5 pb-3 text-table text-ink-2">
        {later === 0
          ? 'All of them stay on their day.'
          : `${counted(later, 'mail')} would leave on another day.`}
      </p>
    </BeforeAfter>
  );
}

const question = (mails: number) => ({
  title: `Move ${counted(mails, 'mail')}?`,
  text: 'Each gets the first time that is free for its account. None leaves earlier than it was planned. Their old times are not kept.',
  action: `Move ${counted(mails, 'mail')}`,
});

function CheckedAt({ at }: { readonly at: number }) {
  const zone = useZone();
  return (
    <span className="text-note text-ink-2">
      <span className="block">Checked</span>
      <strong className="figures block text-title text-ink">{secondsOf(at, zone)}</strong>
      each minute while you look
    </span>
  );
}

const NothingOver = ({ checking, onCheck }: Pick<CheckedProps, 'checking' | 'onCheck'>) => (
  <Empty
    title="Nothing is planned over a limit."
    actions={
      <>
        <Button busy={checking} onClick={onCheck}>
          Check again
        </Button>
        <Link to="/settings/sending" className={buttonLook()}>
          Change the limits of all accounts
        </Link>
      </>
    }
  >
    Whatever waits has a time at which its account may send. When limits are lowered or hours change, what no
    longer fits is listed here, with where it would go.
  </Empty>
);
