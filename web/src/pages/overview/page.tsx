import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ofDashboard, type Range } from '../../api/queries';
import type { Dashboard } from '../../api/types';
import { Failure } from '../../parts/failure';
import { TopBar } from '../../shell/top-bar';
import { AccountsToday } from './accounts-today';
import { FailuresByCause } from './failures-by-cause';
import { FirstRun } from './first-run';
import { FlowStrip } from './flow-strip';
import { FrontDoors } from './front-doors';
import { HealthPlate } from './health-plate';
import { OverviewSkeleton } from './overview-skeleton';
import { Throughput } from './throughput';

/** Time passes where nothing happens, too: what is late, and the last minute of the chart. */
const LOOKS_AGAIN_MS = 10_000;

const RANGES: readonly string[] = ['1h', '24h', '7d'] satisfies Range[];

/** Is mail leaving? What needs me? */
export function OverviewPage() {
  const { range: asked } = useSearch({ strict: false });
  const range = asked !== undefined && RANGES.includes(asked) ? (asked as Range) : '1h';
  const { data, error, refetch } = useQuery({ ...ofDashboard(range), refetchInterval: LOOKS_AGAIN_MS });
  return (
    <>
      <TopBar title="Overview" />
      <div className="flex flex-col gap-3.5 p-5 max-sm:px-3.5 max-sm:py-3">
        {data ? (
          <Overview dashboard={data} range={range} />
        ) : error ? (
          <Failure error={error} what="the overview" onRetry={() => void refetch()} />
        ) : (
          <OverviewSkeleton />
        )}
      </div>
    </>
  );
}

function Overview({ dashboard, range }: { readonly dashboard: Dashboard; readonly range: Range }) {
  const { states, health, accounts } = dashboard;
  const accepted = Object.values(states).reduce((sum, n) => sum + n, 0);
  if (accepted === 0 && health.needs.length === 0) return <FirstRun />;
  return (
    <>
      <HealthPlate dashboard={dashboard} />
      <FlowStrip dashboard={dashboard} />
      <div className="grid gap-3.5 lg:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]">
        <Throughput series={dashboard.series} range={range} />
        <AccountsToday accounts={accounts} />
        <FailuresByCause dead={states.dead} />
        <FrontDoors sentToday={dashboard.sentTodayByLane} caught={dashboard.caught} />
      </div>
    </>
  );
}
