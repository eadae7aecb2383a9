import {
  ChevronDown,
  ChevronUp,
  GripVertical,
  Mail,
  MessageSquare,
  Plus,
  UserPlus,
  type LucideIcon,
} from 'lucide-react';
import { useRef, useState } from 'react';
import type { Answers, SequenceCheck } from '../../api/types';
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
  /** What came of them, by the numbers that they had when they were sent. */
  readonly results: Answers['listStepResults'] | undefined;
  readonly onShow: (n: number) => void;
  readonly onMove?: (n: number, by: number) => void;
  readonly onAdd?: () => void;
}

const MOST_STEPS = 30;

/** The steps in their order, with how long each waits. */
export function StepRail({ steps, at, faults, results, onShow, onMove, onAdd }: Props) {
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const clear = () => {
    setDragged(undefined);
    setOver(undefined);
  };
  const drop = (to: number) => {
    if (dragged !== undefined && to !== dragged) onMove?.(dragged, to - dragged);
    clear();
  };
  return (
    <Panel title="Steps" {...(onMove && { note: <span className="coarse:hidden">Alt ↑ ↓ moves one</span> })}>
      <ol className="p-3">
        {steps.map((step, n) => (
          <li
            key={step.key}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              setOver(n);
            }}
            onDrop={(event) => {
              event.preventDefault();
              drop(n);
            }}
          >
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
              result={results?.items.find((result) => result.step === step.was)?.sentence}
              target={dragged !== undefined && over === n && over !== dragged}
              onShow={() => onShow(n)}
              {...(onMove && steps.length > 1 && { onGrab: () => setDragged(n), onLetGo: clear })}
              {...(onMove && n > 0 && { onUp: () => onMove(n, -1) })}
              {...(onMove && n < steps.length - 1 && { onDown: () => onMove(n, 1) })}
            />
          </li>
        ))}
      </ol>
      {results?.sentence && <p className="px-3 pb-3 text-note text-ink-2">{results.sentence}</p>}
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
}

interface CardProps {
  readonly step: DraftStep;
  readonly n: number;
  readonly present: boolean;
  readonly faults: number;
  readonly result: string | undefined;
  /** What is dragged would come here. */
  readonly target: boolean;
  readonly onShow: () => void;
  /** Its handle was taken, and let go of wherever that was. */
  readonly onGrab?: () => void;
  readonly onLetGo?: () => void;
  readonly onUp?: () => void;
  readonly onDown?: () => void;
}

function Card({
  step,
  n,
  present,
  faults,
  result,
  target,
  onShow,
  onGrab,
  onLetGo,
  onUp,
  onDown,
}: CardProps) {
  const card = useRef<HTMLDivElement>(null);
  const Icon = ICONS[step.action];
  const said = step.subject ?? step.body.split('\n').find((line) => line.trim() !== '') ?? '';
  return (
    <div
      ref={card}
      className={classNames(
        'flex items-stretch rounded-control border',
        target && 'outline-2 outline-focus outline-dashed',
        present ? 'border-focus bg-sel' : 'border-line bg-surface hover:bg-hover',
      )}
    >
      {onGrab && (
        <span
          aria-hidden
          draggable
          data-handle={n + 1}
          title="Drag to move it"
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move';
            // Without something to carry some browsers do not begin.
            event.dataTransfer.setData('text/plain', String(n + 1));
            if (card.current) event.dataTransfer.setDragImage(card.current, 10, 10);
            onGrab();
          }}
          onDragEnd={onLetGo}
          className="grid w-6 shrink-0 cursor-grab place-items-center text-ink-3 hover:text-ink coarse:hidden"
        >
          <GripVertical size={15} strokeWidth={1.75} />
        </span>
      )}
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
        {result !== undefined && <span className="block text-note text-ink-2">{result}</span>}
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
