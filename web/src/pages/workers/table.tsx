import type { WorkForce } from '../../api/types';
import { UseBar } from '../../parts/charts/use-bar';
import { Empty } from '../../parts/empty';
import { LevelGlyph, StateGlyph } from '../../parts/glyphs';
import { useWide } from '../../parts/media';
import { numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { dayOf, durationWords, secondsOf, timeOf } from '../../time/words';
import { useZone } from '../../time/zone';

export type Worker = WorkForce['workers'][number];

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap max-xl:px-2.5';
const CELL = 'px-3.5 py-0.5 h-[37px] align-middle max-xl:px-2.5';

/** Who works, and who did within the last hour. */
export function WorkersTable({ force: { workers, broker } }: { readonly force: WorkForce }) {
  const wide = useWide();
  const alive = workers.filter((each) => each.alive).length;
  const gone = workers.length - alive;
  const versions = [...new Set(workers.filter((each) => each.alive).map(({ version }) => version))];
  const note = `${numberWords(alive)} alive${gone > 0 ? `, ${numberWords(gone)} gone in the last hour` : ''}`;
  return (
    <Panel
      title="Workers"
      note={note}
      {...(versions.length > 1 && {
        aside: (
          <span className="text-note text-ink-2">Versions {versions.join(' and ')} may run side by side</span>
        ),
      })}
    >
      {workers.length === 0 ? (
        <Empty title="Nobody works here yet.">
          Start one on any machine that reaches the database: <code>pillarbox work</code>
        </Empty>
      ) : wide ? (
        <Rows workers={workers} waits={broker !== null && broker.standing !== 'up'} />
      ) : (
        <Cards workers={workers} waits={broker !== null && broker.standing !== 'up'} />
      )}
    </Panel>
  );
}

interface Props {
  readonly workers: readonly Worker[];
  /** The broker cannot be used. */
  readonly waits: boolean;
}

const Rows = ({ workers, waits }: Props) => (
  <table className="w-full text-table">
    <thead>
      <tr>
        <th className={HEAD}>Host and process</th>
        <th className={HEAD}>State</th>
        <th className={HEAD}>Does</th>
        <th className={HEAD}>Busy</th>
        <th className={`${HEAD} text-right!`}>Last minute</th>
        <th className={HEAD}>Heard</th>
        <th className={HEAD}>Since</th>
        <th className={`${HEAD} text-right!`}>Leases lost</th>
      </tr>
    </thead>
    <tbody>
      {workers.map((worker) => (
        <Row key={worker.name} worker={worker} waits={waits} />
      ))}
    </tbody>
  </table>
);

function Row({ worker, waits }: { readonly worker: Worker; readonly waits: boolean }) {
  const { kind, alive, lastMinute, silentMs, leasesLost } = worker;
  return (
    <tr className={`border-t border-line ${alive ? '' : 'text-ink-2'}`}>
      <th scope="row" className={`${CELL} max-w-64 text-left font-normal wrap-anywhere`}>
        <Who worker={worker} />
      </th>
      <td className={CELL}>
        <Alive worker={worker} />
      </td>
      <td className={`${CELL} max-w-72`}>{doesWords(worker, waits)}</td>
      <td className={CELL}>{alive && <Busy worker={worker} />}</td>
      <td className={`${CELL} figures text-right`}>
        {alive && lastMinute !== null && `${numberWords(lastMinute)}${kind === 'relay' ? ' published' : ''}`}
      </td>
      <td className={`${CELL} figures whitespace-nowrap`}>{heardWords(silentMs)}</td>
      <td className={`${CELL} figures whitespace-nowrap`}>
        <StartedAt worker={worker} />
      </td>
      <td className={`${CELL} figures text-right`}>{leasesLost !== null && numberWords(leasesLost)}</td>
    </tr>
  );
}

/** The same on a small screen: who, what, and when it was heard. */
const Cards = ({ workers, waits }: Props) => (
  <ul>
    {workers.map((worker) => (
      <li
        key={worker.name}
        className={`flex items-center gap-3 border-t border-line px-3.5 py-2.5 text-table first:border-t-0 ${worker.alive ? '' : 'text-ink-2'}`}
      >
        <AliveGlyph alive={worker.alive} />
        <div className="min-w-0 flex-1 wrap-anywhere">
          <strong className="block">
            <Untrusted text={worker.host} />, {roleOf(worker)}
          </strong>
          {doesWords(worker, waits)}
        </div>
        <span className="figures shrink-0">
          <span className="sr-only">heard </span>
          {heardWords(worker.silentMs)}
        </span>
      </li>
    ))}
  </ul>
);

const roleOf = ({ kind }: Worker): string => (kind === 'relay' ? 'relay' : 'work');
/** Its name is host, process and a part that no other has. */
const processOf = ({ name, host }: Worker): string => name.slice(host.length + 1).split(':')[0] ?? '';

const Who = ({ worker }: { readonly worker: Worker }) => (
  <>
    <strong className="block">
      <Untrusted text={worker.host} />
    </strong>
    <span className="figures text-note text-ink-2">
      {roleOf(worker)} · {processOf(worker)} · <Untrusted text={worker.version} />
    </span>
  </>
);

const AliveGlyph = ({ alive }: { readonly alive: boolean }) =>
  alive ? <LevelGlyph level="fine" size={14} /> : <StateGlyph state="cancelled" size={14} />;

function Alive({ worker: { alive, seenAt } }: { readonly worker: Worker }) {
  const zone = useZone();
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <AliveGlyph alive={alive} />
      {alive ? 'Alive' : `Gone since ${secondsOf(Date.parse(seenAt), zone)}`}
    </span>
  );
}

function doesWords({ kind, alive, busy, confirmMs }: Worker, waits: boolean): string {
  if (!alive) {
    if (busy === 0) return kind === 'relay' ? 'another one goes on' : 'others have taken over what it had';
    return `${numberWords(busy)} of its mails wait to be taken over`;
  }
  if (kind === 'worker') return 'sends';
  if (waits) return 'waits for the broker';
  return confirmMs === null ? 'publishes' : `publishes, ${numberWords(confirmMs)} ms to confirm`;
}

function Busy({ worker: { busy, places } }: { readonly worker: Worker }) {
  if (places === null) return null;
  return (
    <span className="flex items-center gap-2">
      <UseBar used={Math.min(busy, places)} planned={0} max={places} full={false} className="w-20 shrink-0" />
      <span className="figures whitespace-nowrap text-ink-2">
        {numberWords(busy)} of {numberWords(places)}
      </span>
    </span>
  );
}

function StartedAt({ worker: { startedAt } }: { readonly worker: Worker }) {
  const zone = useZone();
  const at = Date.parse(startedAt);
  return (
    <time dateTime={startedAt}>
      {dayOf(at, zone)}, {timeOf(at, zone)}
    </time>
  );
}

/** They are heard every few seconds: tenths tell that they are. */
const heardWords = (ms: number): string =>
  ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s ago` : `${durationWords(ms)} ago`;
