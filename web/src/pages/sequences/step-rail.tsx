import { ChevronDown, ChevronUp, Mail, MessageSquare, Plus, UserPlus, type LucideIcon } from 'lucide-react';
import type { SequenceCheck } from '../../api/types';
import { classNames } from '../../parts/class-names';
import { counted } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { visible } from '../../parts/visible';
import { ACTION_WORDS, delayWords, type DraftStep } from './draft';

const ICONS: Record<DraftStep['action'], LucideIcon> = {
  ...{ email: Mail, connection_request: UserPlus, message: MessageSquare, inmail: Mail },
};

interface Props {
  readonly steps: readonly DraftStep[];
  readonly at: number;
  readonly faults: SequenceCheck['faults'];
  readonly onShow: (n: number) => void;
  readonly onMove?: (n: number, by: 1 | -1) => void;
  readonly onAdd?: () => void;
}

const MOST_STEPS = 30;

/** The steps in their order, with how long each waits. */
export const StepRail = ({ steps, at, faults, onShow, onMove, onAdd }: Props) => (
  <Panel title="Steps" {...(onMove && { note: <span className="coarse:hidden">Alt ↑ ↓ moves one</span> })}>
    <ol className="p-3">
      {steps.map((step, n) => (
        <li key={step.key}>
          {n > 0 && (
            <p className="ml-4 border-l border-dashed border-line-strong py-1.5 pl-3 text-note text-ink-2">
              {delayWords(step)}
            </p>
          )}
          <Card
            step={step}
            n={n}
            present={n === at}
            faults={faults.filter((fault) => fault.step === n + 1).length}
            onShow={() => onShow(n)}
            {...(onMove && n > 0 && { onUp: () => onMove(n, -1) })}
            {...(onMove && n < steps.length - 1 && { onDown: () => onMove(n, 1) })}
          />
        </li>
      ))}
    </ol>
    {onAdd && steps.length < MOST_STEPS && (
      <div className="px-3 pb-3">
        <button
          type="button"
          onClick={onAdd}
          className="flex min-h-9 w-full items-center justify-center gap-1.5 rounded-control border border-dashed border-line-strong text-table font-semibold hover:bg-hover coarse:min-h-11"
        >
          <Plus size={15} strokeWidth={1.75} aria-hidden />
          Add a step
        </button>
      </div>
    )}
  </Panel>
);

interface CardProps {
  readonly step: DraftStep;
  readonly n: number;
  readonly present: boolean;
  readonly faults: number;
  readonly onShow: () => void;
  readonly onUp?: () => void;
  readonly onDown?: () => void;
}

function Card({ step, n, present, faults, onShow, onUp, onDown }: CardProps) {
  const Icon = ICONS[step.action];
  const said = step.subject ?? step.body.split('\n').find((line) => line.trim() !== '') ?? '';
  return (
    <div
      className={classNames(
        'flex items-stretch rounded-control border',
        present ? 'border-focus bg-sel' : 'border-line bg-surface hover:bg-hover',
      )}
    >
      <button
        type="button"
        aria-current={present ? 'step' : undefined}
        onClick={onShow}
        className="min-w-0 flex-1 px-2.5 py-1.5 text-left text-table"
      >
        <span className="flex items-center gap-2">
          <Icon size={15} strokeWidth={1.75} aria-hidden className="shrink-0" />
          <strong>{n + 1}</strong>
          <span className="text-note text-ink-2">{ACTION_WORDS[step.action]}</span>
        </span>
        <span className="block truncate">
          {step.subject === null && step.action === 'email' && <span className="text-ink-2">Re: </span>}
          <bdi>{visible(said)}</bdi>
        </span>
        {faults > 0 && <strong className="block text-note text-dead">{counted(faults, 'fault')}</strong>}
      </button>
      {(onUp ?? onDown) && (
        <span className="flex flex-col justify-center pr-1">
          <Arrow label={`Move step ${String(n + 1)} up`} icon={ChevronUp} onPress={onUp} />
          <Arrow label={`Move step ${String(n + 1)} down`} icon={ChevronDown} onPress={onDown} />
        </span>
      )}
    </div>
  );
}

const Arrow = ({
  label,
  icon: Icon,
  onPress,
}: {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onPress: (() => void) | undefined;
}) =>
  onPress ? (
    <button
      type="button"
      aria-label={label}
      onClick={onPress}
      className="grid size-6 place-items-center rounded-control text-ink-2 hover:bg-hover hover:text-ink coarse:size-11"
    >
      <Icon size={15} strokeWidth={1.75} aria-hidden />
    </button>
  ) : (
    <span className="size-6 coarse:size-11" />
  );
