import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { simulateCampaign } from '../../api/campaigns';
import type { Simulation } from '../../api/types';
import { Button } from '../../parts/button';
import { BeforeAfter, type DayChange } from '../../parts/charts/before-after';
import { faultWords } from '../../parts/fault-words';
import { Fault } from '../../parts/form/fault';
import { counted, numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { dayOf, timeOf, zoneName } from '../../time/words';
import { useZone } from '../../time/zone';

interface Props {
  readonly id: string;
  /** What is planned by day, of all accounts: the same date may stand there more than once. */
  readonly planned: readonly { readonly date: string; readonly count: number }[];
  /** Tried on the copy first: what stands in a form and is not saved. */
  readonly change?: () => object;
}

/** A copy runs ahead of time, through planner, guard and engine: what the plan comes to, with everything else that sends. */
export function Simulate({ id, planned, change }: Props) {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => simulateCampaign(id, change?.()),
  });
  const run = (
    <Button busy={isPending} onClick={() => mutate()}>
      {isPending ? 'Running ahead' : data ? 'Simulate again' : change ? 'Simulate with these' : 'Simulate'}
    </Button>
  );
  if (!data)
    return (
      <Panel
        title="Simulation"
        note={`a copy ${change ? 'with what stands above ' : ''}runs ahead of time; nothing leaves and nothing is kept`}
        aside={run}
      >
        <Fault text={error ? faultWords(error) : undefined} className="p-3.5 empty:p-0" />
      </Panel>
    );
  return (
    <>
      <BeforeAfter
        title="Simulation"
        note="mails a day"
        days={changesOf(planned, data.days)}
        words={['planned', 'would leave']}
      >
        <Outcome simulation={data} />
      </BeforeAfter>
      <div className="text-right">{run}</div>
    </>
  );
}

function Outcome({
  simulation: { sent, waiting, ended, endsAt, violations, warnings },
}: {
  readonly simulation: Simulation;
}) {
  const zone = useZone();
  const end = endsAt === null ? undefined : Date.parse(endsAt);
  return (
    <div className="px-3.5 pb-3 text-table">
      <p role="status">
        <strong>{counted(sent, 'mail')} would leave</strong>
        {end !== undefined && `, the last ${dayOf(end, zone)}, ${timeOf(end, zone)} ${zoneName(zone, end)}`}
        {waiting > 0 && `; ${numberWords(waiting)} would still wait`}
        {ended > 0 && `; ${numberWords(ended)} ended without leaving`}.{' '}
        {violations.length === 0
          ? 'No limit is broken.'
          : `${counted(violations.length, 'limit')} would be broken.`}{' '}
        <Link to="/limits">Limits</Link>
      </p>
      <ul>
        {[...violations.map(({ when, sentence }) => `${when}: ${sentence}`), ...warnings].map((words) => (
          <li key={words} className="text-ink-2 wrap-anywhere">
            <Untrusted text={words} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** By day, over all accounts. */
export function changesOf(
  planned: Props['planned'],
  simulated: readonly { readonly date: string; readonly sent: number }[],
): DayChange[] {
  const days = new Map<string, { now: number; then: number }>();
  const at = (date: string) => days.get(date) ?? { now: 0, then: 0 };
  for (const { date, count } of planned) days.set(date, { ...at(date), now: at(date).now + count });
  for (const { date, sent } of simulated) days.set(date, { ...at(date), then: at(date).then + sent });
  return [...days.entries()]
    .filter(([, { now, then }]) => now + then > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, change]) => ({ date, ...change }));
}
