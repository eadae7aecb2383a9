import type { ReactNode } from 'react';
import type { Attempt, MessageDetail } from '../../../api/types';
import { AttemptGlyph, StateGlyph } from '../../../parts/glyphs';
import { numberWords } from '../../../parts/number-words';
import { visible } from '../../../parts/visible';
import { durationWords, secondsOf } from '../../../time/words';
import { useZone } from '../../../time/zone';
import { foldTries, gateWords, phasesOf, replyWords, type Tries } from './tries';

const PLANNED_SHOWN = 3;

/** Each try, made or to come, oldest first. */
export function Timeline({ message }: { readonly message: MessageDetail }) {
  const { inlineAttempt, attemptLog, plannedAttempts, attempts } = message;
  const longest = Math.max(1, ...[...attemptLog, ...(inlineAttempt ? [inlineAttempt] : [])].map(totalOf));
  const none = !inlineAttempt && attemptLog.length === 0;
  return (
    <ol className="relative before:absolute before:top-3 before:bottom-6 before:left-[6px] before:w-px before:bg-line">
      {none && plannedAttempts.length === 0 && <p className="text-ink-2">It has not been tried.</p>}
      {inlineAttempt && (
        <Made name="Inline" tries={{ attempts: [inlineAttempt] }} longest={longest} note="Not counted." />
      )}
      {foldTries(attemptLog).map((tries) => (
        <Made key={tries.attempts[0]?.number} name={nameOf(tries)} tries={tries} longest={longest} />
      ))}
      {plannedAttempts.slice(0, PLANNED_SHOWN).map((at, n) => (
        <Planned key={n} number={attempts + n + 1} at={at} before={plannedAttempts[n - 1]} />
      ))}
      {plannedAttempts.length > PLANNED_SHOWN && (
        <li className="pl-6 text-note text-ink-2">
          {plannedAttempts.length - PLANNED_SHOWN} more would follow until try {message.maxAttempts}.
        </li>
      )}
    </ol>
  );
}

const totalOf = (attempt: Attempt): number => {
  const phases = phasesOf(attempt);
  return phases ? phases.before + phases.after : 0;
};

function nameOf({ attempts }: Tries): string {
  const [first, last] = [attempts[0]?.number, attempts.at(-1)?.number];
  return first === last ? `Attempt ${String(first)}` : `Attempts ${String(first)} to ${String(last)}`;
}

const Entry = ({
  glyph,
  name,
  when,
  children,
}: {
  readonly glyph: ReactNode;
  readonly name: string;
  readonly when: ReactNode;
  readonly children: ReactNode;
}) => (
  <li className="relative grid grid-cols-[148px_minmax(0,1fr)] gap-x-3 pb-3 pl-6 max-sm:grid-cols-1">
    <span className="absolute top-[3px] left-0 grid size-[13px] place-items-center rounded-full bg-surface">
      {glyph}
    </span>
    <div>
      <h3>{name}</h3>
      <div className="figures text-note text-ink-2">{when}</div>
    </div>
    <div className="min-w-0 text-table">{children}</div>
  </li>
);

function Made({
  name,
  tries: { attempts },
  longest,
  note = '',
}: {
  readonly name: string;
  readonly tries: Tries;
  readonly longest: number;
  readonly note?: string;
}) {
  const [first] = attempts;
  if (!first) return null;
  const reply = replyWords(first);
  const facts = [
    gateWords(first),
    note,
    attempts.length > 1 ? `Same reply, ${attempts.length} times.` : '',
    first.errorClass === null ? '' : `Class ${first.errorClass}.`,
    first.workerId === null ? '' : `${visible(first.workerId)}.`,
  ];
  return (
    <Entry
      glyph={<AttemptGlyph outcome={first.outcome} size={13} />}
      name={name}
      when={<Moment attempt={first} />}
    >
      <PhaseBar attempt={first} longest={longest} />
      {reply !== undefined && (
        <pre className="my-1 rounded-control border border-line bg-sunken px-2.5 py-1.5 break-words whitespace-pre-wrap">
          <bdi>{visible(reply, { lines: true })}</bdi>
        </pre>
      )}
      <p className="text-note text-ink-2">{facts.filter(Boolean).join(' ')}</p>
      {attempts.length > 1 && (
        <details className="text-note">
          <summary className="min-h-6 text-link">Each try</summary>
          <ul className="figures text-ink-2">
            {attempts.map((attempt) => (
              <li key={attempt.number}>
                {attempt.number}: <Moment attempt={attempt} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Entry>
  );
}

/** Start to the millisecond, and how long it took. */
function Moment({ attempt }: { readonly attempt: Attempt }) {
  const zone = useZone();
  const at = attempt.startedAt ?? attempt.finishedAt;
  const phases = phasesOf(attempt);
  return (
    <>
      <time dateTime={at}>
        {secondsOf(Date.parse(at), zone)}
        {at.slice(19, 23)}
      </time>
      {phases && `, ${millisecondWords(phases.before + phases.after)}`}
    </>
  );
}

const millisecondWords = (ms: number): string =>
  ms < 10_000 ? `${numberWords(ms)}\u00a0ms` : durationWords(ms);

const AFTER: Record<Attempt['outcome'], string> = {
  success: 'border-sent',
  failed: 'border-dead',
  rate_limited: 'border-retry',
  in_doubt: 'border-held',
};

/** Solid up to the gate, which is a stroke; outlined what came after it. */
function PhaseBar({ attempt, longest }: { readonly attempt: Attempt; readonly longest: number }) {
  const phases = phasesOf(attempt);
  if (!phases) return null;
  const share = (ms: number): string => `${Math.max(2, (ms / longest) * 60)}%`;
  return (
    <div aria-hidden className="mt-1.5 mb-1 flex h-1.5 items-center">
      <span className="h-full bg-bar-2" style={{ width: share(phases.before) }} />
      {attempt.handedOverAt !== null && (
        <>
          <span className="mx-px h-3 w-0.5 bg-ink" />
          <span
            className={`h-full border ${AFTER[attempt.outcome]}`}
            style={{ width: share(phases.after) }}
          />
        </>
      )}
    </div>
  );
}

function Planned({
  number,
  at,
  before,
}: {
  readonly number: number;
  readonly at: string;
  readonly before: string | undefined;
}) {
  const zone = useZone();
  const wait = before === undefined ? undefined : Date.parse(at) - Date.parse(before);
  return (
    <Entry
      glyph={<StateGlyph state="scheduled" size={13} />}
      name={`Attempt ${String(number)}`}
      when={
        <>
          planned <time dateTime={at}>{secondsOf(Date.parse(at), zone)}</time>
        </>
      }
    >
      <p className="text-ink-2">
        {wait === undefined
          ? 'The next try.'
          : `If attempt ${String(number - 1)} fails, ${durationWords(wait)} after it.`}
      </p>
    </Entry>
  );
}
