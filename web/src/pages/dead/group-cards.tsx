import { visible } from '../../parts/visible';
import { counted } from '../../parts/number-words';
import { classNames } from '../../parts/class-names';
import { useNow } from '../../time/clock';
import { Time } from '../../time/time';
import { whenWords } from '../../time/words';
import { useZone } from '../../time/zone';
import { GroupActions } from './group-actions';
import { GroupDetails } from './group-details';
import type { GroupsProps } from './group-table';
import { originOf } from './labels';
import { Outlook, OutlookGlyph } from './outlook';
import { Sparkline } from './sparkline';

/** The same on a phone: a card each, opened by a touch, with its likely action at hand. */
export function GroupCards({ groups, open, onToggle, onCurrent, actions }: GroupsProps) {
  const now = useNow();
  const zone = useZone();
  return (
    <ul className="overflow-hidden rounded-panel border border-line bg-surface text-table">
      {groups.map((group) => {
        const isOpen = open === group.fingerprint;
        return (
          <li
            key={group.fingerprint}
            onFocus={() => onCurrent(group.fingerprint)}
            className={classNames('border-b border-line last:border-0', isOpen && 'bg-sunken')}
          >
            <div className={classNames('flex items-center gap-3 px-3.5 py-2', isOpen && 'bg-sel')}>
              <button
                type="button"
                id={`open-${group.fingerprint}`}
                aria-expanded={isOpen}
                onClick={() => onToggle(group.fingerprint)}
                className="flex min-h-11 min-w-0 flex-1 items-start gap-2.5 text-left"
              >
                <OutlookGlyph outlook={group.outlook} />
                <span className="min-w-0">
                  <span className="block">
                    <strong className="font-mono text-mono">{visible(group.code)}</strong>{' '}
                    <bdi>{visible(group.cause)}</bdi>
                  </span>
                  <span className="figures block text-ink-2">
                    {counted(group.count, 'letter')}, last {whenWords(Date.parse(group.lastAt), now, zone)}
                  </span>
                </span>
              </button>
              {actions && <GroupActions group={group} actions={actions} current={isOpen} only />}
            </div>
            {isOpen && (
              <div className="space-y-3 px-3.5 py-3">
                <div>
                  <Outlook {...group} />
                </div>
                <div className="text-ink-2">
                  <bdi>{visible(originOf(group))}</bdi>, last <Time at={group.lastAt} label="Last death" />
                </div>
                <Sparkline days={group.days} />
                <GroupDetails group={group} />
                {actions && <GroupActions group={group} actions={actions} current={false} />}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
