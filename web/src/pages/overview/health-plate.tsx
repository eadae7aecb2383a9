import type { Dashboard } from '../../api/types';
import { Plate } from '../../parts/plate';
import { useOffline } from '../../shell/live-indicator';
import { useNow } from '../../time/clock';
import { secondsOf } from '../../time/words';
import { useZone } from '../../time/zone';
import { Needs } from './needs';
import { nextMailOf, NextMailCell } from './next-mail';

/** What is true now, in the server's words. */
export function HealthPlate({ dashboard }: { readonly dashboard: Dashboard }) {
  const { health, next } = dashboard;
  const now = useNow();
  const zone = useZone();
  const offline = useOffline();
  const upcoming = nextMailOf(next, now);
  const evidence =
    offline === undefined
      ? health.evidence
      : `No connection since ${secondsOf(offline, zone)}. Mail goes on leaving; this page shows what was known then.`;
  return (
    <Plate
      level={health.level}
      sentence={health.sentence}
      evidence={evidence}
      cells={[
        ...(health.needs.length > 0 ? [<Needs key="needs" needs={health.needs} />] : []),
        ...(upcoming ? [<NextMailCell key="next" {...upcoming} />] : []),
      ]}
    />
  );
}
