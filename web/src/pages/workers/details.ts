import type { WorkForce } from '../../api/types';

/** For whoever looks after the broker: where it was looked for, what came back, what was in it. */
export const detailsOf = ({ plate, broker, waiting, workers }: WorkForce) => ({
  plate: plate.sentence,
  broker,
  waiting,
  workers: workers.map(({ name, kind, alive, version }) => ({ name, kind, alive, version })),
});
