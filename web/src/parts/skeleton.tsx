import { useEffect, useState, type ReactNode } from 'react';

const SHOWN_AFTER_MS = 150;

/** Shown in place of the data, only if that takes its time. */
export function Late({ children }: { readonly children: ReactNode }) {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label="Loading">
      {shown && children}
    </div>
  );
}

/** Rows in their final size, still. */
export function SkeletonRows({
  rows = 12,
  height = 41,
}: {
  readonly rows?: number;
  readonly height?: 34 | 41;
}) {
  return (
    <Late>
      {Array.from({ length: rows }, (_, n) => (
        <div
          key={n}
          className={`flex items-center gap-6 border-b border-line px-4 ${height === 34 ? 'h-[34px]' : 'h-[41px]'}`}
        >
          <div className="h-3 w-20 rounded-mark bg-grid" />
          <div className="h-3 flex-1 rounded-mark bg-grid" />
          <div className="h-3 w-16 rounded-mark bg-grid" />
        </div>
      ))}
    </Late>
  );
}
