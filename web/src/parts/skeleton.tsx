import { useEffect, useState } from 'react';

const SHOWN_AFTER_MS = 150;

/** Rows in their final size, still; only if the data takes its time. */
export function SkeletonRows({
  rows = 12,
  height = 41,
}: {
  readonly rows?: number;
  readonly height?: 34 | 41;
}) {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label="Loading">
      {shown &&
        Array.from({ length: rows }, (_, n) => (
          <div
            key={n}
            className={`flex items-center gap-6 border-b border-line px-4 ${height === 34 ? 'h-[34px]' : 'h-[41px]'}`}
          >
            <div className="h-3 w-20 rounded-mark bg-grid" />
            <div className="h-3 flex-1 rounded-mark bg-grid" />
            <div className="h-3 w-16 rounded-mark bg-grid" />
          </div>
        ))}
    </div>
  );
}
