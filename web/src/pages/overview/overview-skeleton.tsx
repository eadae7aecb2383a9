import { Late } from '../../parts/skeleton';

const BLOCK = 'rounded-panel border border-line bg-surface';

/** Plate, strip and panels, as large as they will be. */
export const OverviewSkeleton = () => (
  <Late>
    <div className="flex flex-col gap-3.5">
      <div className={`${BLOCK} h-24 max-sm:h-52`} />
      <div className={`${BLOCK} h-[90px] max-sm:h-[122px]`} />
      <div className="grid gap-3.5 lg:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]">
        <div className={`${BLOCK} h-[372px] max-sm:h-52`} />
        <div className={`${BLOCK} h-[372px]`} />
        <div className={`${BLOCK} h-44`} />
        <div className={`${BLOCK} h-44`} />
      </div>
    </div>
  </Late>
);
