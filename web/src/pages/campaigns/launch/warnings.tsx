import { Info, OctagonX, TriangleAlert } from 'lucide-react';
import type { DryRun } from '../../../api/types';
import { Panel } from '../../../parts/panel';
import { Untrusted } from '../../../parts/untrusted';
import { Door } from '../hold-up';

type Warning = DryRun['warnings'][number];

const ORDER = { block: 0, read: 1, note: 2 } as const;
const LOOKS = {
  block: { icon: OctagonX, colour: 'text-dead', says: 'Stops the launch: ' },
  read: { icon: TriangleAlert, colour: 'text-retry', says: 'To read: ' },
  note: { icon: Info, colour: 'text-ink-2', says: 'Note: ' },
} as const;

/** What stops a launch first, then what is to be read; each with where to do something about it. */
export function Warnings({ warnings }: Pick<DryRun, 'warnings'>) {
  const sorted = [...warnings].sort((one, other) => ORDER[one.level] - ORDER[other.level]);
  const read = warnings.filter(({ level }) => level === 'read').length;
  return (
    <Panel title="Before you launch" note={read === 0 ? 'nothing to read' : `${read} to read`}>
      {sorted.length === 0 ? (
        <p className="px-3.5 py-3 text-table text-ink-2">Nothing is wrong with it.</p>
      ) : (
        <ul>
          {sorted.map((warning) => (
            <Line key={`${warning.code} ${warning.sentence}`} warning={warning} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Line({ warning: { level, sentence, to } }: { readonly warning: Warning }) {
  const { icon: Icon, colour, says } = LOOKS[level];
  return (
    <li
      className={`flex gap-2.5 border-t border-line px-3.5 py-2.5 text-table first:border-t-0 ${level === 'block' ? 'bg-tint-dead' : ''}`}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden className={`mt-px shrink-0 ${colour}`} />
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{says}</span>
        <Untrusted text={sentence} /> {to !== null && <Door to={to}>{verbOf(to)}</Door>}
      </span>
    </li>
  );
}

const verbOf = (to: string): string => {
  if (to.startsWith('/accounts')) return 'Open accounts';
  if (to.startsWith('/settings/workspace')) return 'Add it';
  if (to.startsWith('/settings')) return 'Settings';
  if (to.endsWith('/set-up')) return 'Set-up';
  return 'Show them';
};
