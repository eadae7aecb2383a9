import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ofWorkers, type BrokerRange } from '../../api/workers';
import type { WorkForce } from '../../api/types';
import { Failure } from '../../parts/failure';
import { useWide } from '../../parts/media';
import { SkeletonRows } from '../../parts/skeleton';
import { TopBar } from '../../shell/top-bar';
import { Announced } from './announced';
import { BrokerPanel } from './broker';
import { InTheBroker } from './in-the-broker';
import { NoBroker } from './no-broker';
import { WorkersPlate } from './plate';
import { WorkersTable } from './table';
import { Way } from './way';

/** Does anyone send, does the broker answer, how long does mail wait? */
export function WorkersPage() {
  const { range: asked } = useSearch({ strict: false });
  const range: BrokerRange = asked === '24h' ? '24h' : '1h';
  const { data, error, refetch } = useQuery(ofWorkers(range));
  return (
    <>
      <TopBar title="Workers" />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {data ? (
          <Standing force={data} range={range} />
        ) : error ? (
          <Failure error={error} what="the workers" onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </div>
    </>
  );
}

/** On a small screen the broker comes before those who wait for it. */
function Standing({ force, range }: { readonly force: WorkForce; readonly range: BrokerRange }) {
  const { broker, lastDay } = force;
  const wide = useWide();
  const table = <WorkersTable force={force} />;
  return (
    <>
      <WorkersPlate force={force} />
      <Way force={force} />
      {(wide || !broker) && table}
      {broker ? (
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)_minmax(0,1.1fr)]">
          {wide && <InTheBroker series={force.series} range={range} />}
          <BrokerPanel broker={broker} lastDay={lastDay} />
          {!wide && table}
          {!wide && <InTheBroker series={force.series} range={range} />}
          <Announced announcements={force.announcements} />
        </div>
      ) : (
        <NoBroker />
      )}
    </>
  );
}
