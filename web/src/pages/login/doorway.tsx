import type { ReactNode } from 'react';
import { Mark } from '../../shell/mark';
import { useNow } from '../../time/clock';
import { timeOf } from '../../time/words';

/** What is before the door: for whoever is not signed in. */
export const Doorway = ({ children }: { readonly children: ReactNode }) => (
  <main className="relative flex min-h-dvh bg-surface">
    <Box />
    <div className="m-auto w-full max-w-[372px] p-6">
      <div className="mb-6 flex items-center gap-3 text-[26px] font-[720] tracking-[-0.012em]">
        <Mark size={36} />
        Pillarbox
      </div>
      {children}
    </div>
    {/* Which server this is; what runs on it is told to whoever is signed in. */}
    <p className="absolute right-8 bottom-6 text-note text-ink-2 max-sm:right-0 max-sm:w-full max-sm:text-center">
      {location.host}
    </p>
  </main>
);

/** A real one, with the time on its plate. */
function Box() {
  const now = useNow();
  return (
    <div className="flex w-[39%] flex-col items-center justify-end border-r border-line bg-rail max-lg:hidden">
      <svg aria-hidden viewBox="0 0 320 640" className="w-[320px]">
        <defs>
          <linearGradient id="paint" x1="0" x2="1" y1="0" y2="0">
            <stop offset="0" stopColor="#860a15" />
            <stop offset=".3" stopColor="#c21723" />
            <stop offset=".62" stopColor="#b8121f" />
            <stop offset="1" stopColor="#840b15" />
          </linearGradient>
        </defs>
        <path d="M12 84C22 30 80 4 160 4s138 26 148 80z" fill="url(#paint)" />
        <rect x="2" y="80" width="316" height="28" rx="8" fill="#7b0a14" />
        <rect x="12" y="108" width="296" height="11" fill="#5f060f" />
        <rect x="28" y="119" width="264" height="464" fill="url(#paint)" />
        <rect x="64" y="149" width="192" height="4" fill="#d63b46" />
        <rect x="71" y="159" width="178" height="29" rx="6" fill="#140607" />
        <rect x="83" y="229" width="154" height="118" rx="5" fill="#16202b" />
        <rect x="86" y="232" width="148" height="112" rx="3" fill="#fffdf5" />
        <rect x="90" y="236" width="140" height="104" rx="2" fill="none" stroke="#cfc8b4" />
        <g fill="#16202b" textAnchor="middle" fontFamily="var(--font-sans)">
          <text x="160" y="263" fontSize="14" fontWeight="620">
            Next collection
          </text>
          <text x="160" y="299" fontSize="32" fontWeight="680">
            {timeOf(now, Intl.DateTimeFormat().resolvedOptions().timeZone)}
          </text>
          <text x="160" y="324" fontSize="13" fill="#465463">
            in once, out once
          </text>
        </g>
        <rect x="64" y="384" width="192" height="164" rx="4" fill="none" stroke="#860a15" strokeWidth="3" />
        <circle cx="238" cy="468" r="5" fill="#860a15" />
        <rect x="14" y="583" width="292" height="48" fill="#0f1418" />
        <rect x="2" y="629" width="316" height="11" rx="3" fill="#07090b" />
      </svg>
      <div className="h-4 w-full bg-line" />
    </div>
  );
}
