import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WorkForce } from '../../api/types';
import { Button, buttonLook } from '../../parts/button';
import { copy } from '../../parts/copy';
import { numberWords } from '../../parts/number-words';
import { Plate } from '../../parts/plate';
import { useNow } from '../../time/clock';
import { durationWords, secondsOf, zoneName } from '../../time/words';
import { useZone } from '../../time/zone';
import { detailsOf } from './details';

/** What is true, and the two figures that it rests on. While the broker is away, what there is to tell of that. */
export function WorkersPlate({ force }: { readonly force: WorkForce }) {
  const { plate, broker } = force;
  const away = broker !== null && broker.standing !== 'up';
  return (
    <>
      <Plate
        {...plate}
        cells={[
          ...(away ? [<Since key="since" force={force} />] : []),
          <Oldest key="oldest" force={force} />,
        ].concat(away ? [] : <Room key="room" force={force} />)}
      />
      {away && <WhileAway force={force} />}
    </>
  );
}

const Cell = ({ label, value, note }: { label: string; value: ReactNode; note?: string | undefined }) => (
  <span className="whitespace-nowrap text-note text-ink-2 max-sm:flex max-sm:items-baseline max-sm:gap-2">
    <span className="block max-sm:mr-auto">{label}</span>
    <strong className="figures block text-title text-ink">{value}</strong>
    {note !== undefined && <span>{note}</span>}
  </span>
);

function Oldest({ force: { oldestDueAt, oldestQueuedAt } }: { readonly force: WorkForce }) {
  const now = useNow();
  const first = [oldestDueAt, oldestQueuedAt].flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  return (
    <Cell
      label="Oldest waits"
      value={first.length === 0 ? 'nothing' : durationWords(now - Math.min(...first))}
      note={first.length === 0 ? 'is due' : 'since it was due'}
    />
  );
}

function Since({ force: { broker } }: { readonly force: WorkForce }) {
  const zone = useZone();
  const { downSince = null, trouble = null } = broker ?? {};
  if (downSince === null) return null;
  const at = Date.parse(downSince);
  return (
    <Cell
      label="Since"
      value={`${secondsOf(at, zone)} ${zoneName(zone, at)}`}
      note={trouble ? `${numberWords(trouble.tries)} tries` : undefined}
    />
  );
}

function Room({ force: { workers } }: { readonly force: WorkForce }) {
  const sending = workers.filter(({ alive, places }) => alive && places !== null);
  if (sending.length === 0) return null;
  const busy = sending.reduce((sum, each) => sum + Math.min(each.busy, each.places ?? 0), 0);
  const places = sending.reduce((sum, each) => sum + (each.places ?? 0), 0);
  return <Cell label="Room" value={`${numberWords(busy)} of ${numberWords(places)}`} note="sends at once" />;
}

/** Nothing here releases mail; it goes on by itself. */
function WhileAway({ force }: { readonly force: WorkForce }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {force.waiting > 0 && (
        <Link
          to="/queue"
          search={{ state: 'scheduled,queued,retry_scheduled' }}
          className={`${buttonLook()} max-sm:flex-1`}
        >
          See the {numberWords(force.waiting)}
        </Link>
      )}
      <Button
        className="max-sm:flex-1"
        onClick={() => copy(JSON.stringify(detailsOf(force), null, 2), 'the details')}
      >
        Copy the details
      </Button>
      <p className="text-note text-ink-2 max-sm:w-full">
        Nothing to do here. The details are for whoever looks after RabbitMQ.
      </p>
    </div>
  );
}
