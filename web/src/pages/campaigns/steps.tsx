import { Link, useNavigate } from '@tanstack/react-router';
import type { CampaignDetail } from '../../api/types';
import { useHatch } from '../../parts/charts/hatch';
import { classNames } from '../../parts/class-names';
import { counted, numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';

type Step = CampaignDetail['steps'][number];

const UNITS = { days: 'day', sendingDays: 'sending day', hours: 'hour' } as const;

const delayWords = ({ order, delayDays, delayUnit }: Step): string =>
  order === 1 && delayDays === 0 ? 'at the start' : `+${counted(delayDays, UNITS[delayUnit])}`;

const ACTIONS = {
  email: 'Mail',
  message: 'Message',
  connection_request: 'Connection request',
  inmail: 'InMail',
} as const;

/** How far each step is: what left, what is to come, what never leaves. */
export function Steps({ campaign }: { readonly campaign: CampaignDetail }) {
  const { steps, id, sequenceName, sequenceId } = campaign;
  return (
    <Panel
      title="Steps"
      note={
        sequenceName === null || sequenceId === null ? (
          'ready-made messages only'
        ) : (
          <span className="wrap-anywhere">
            <Untrusted text={sequenceName} />
            {campaign.sequenceVersion !== null && `, version ${campaign.sequenceVersion}`}
          </span>
        )
      }
      aside={<Legend />}
    >
      <ul>
        {steps.map((step) => (
          <li
            key={step.order}
            className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)_11rem] items-center gap-x-4 gap-y-1.5 border-t border-line px-3.5 py-2.5 text-table first:border-t-0 max-sm:grid-cols-1"
          >
            <span className="min-w-0 wrap-anywhere">
              <strong>Step {step.order}</strong> <span className="text-ink-2">{delayWords(step)}</span>
              <span className="block">
                {step.subject === null ? (
                  <span className="text-ink-2">
                    {step.action === 'email' ? 'goes on in the thread' : ACTIONS[step.action]}
                  </span>
                ) : (
                  <Untrusted text={step.subject} />
                )}
              </span>
            </span>
            <StepBar step={step} id={id} />
            <span className="text-right text-ink-2 max-sm:text-left">
              <span className="block">
                <StepDoor step={step} id={id} part="sent" strong />,{' '}
                <StepDoor step={step} id={id} part="planned" />
              </span>
              <span className="block">
                {step.replied > 0 && (
                  <>
                    <Link
                      to="/campaigns/$campaignId/$part"
                      params={{ campaignId: id, part: 'people' }}
                      search={{ status: 'replied' }}
                      className="underline underline-offset-3"
                    >
                      {numberWords(step.replied)} replied
                    </Link>
                    {' · '}
                  </>
                )}
                <StepDoor step={step} id={id} part="stopped" />
                {step.dead > 0 && (
                  <>
                    {' · '}
                    <StepDoor step={step} id={id} part="dead" />
                  </>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <PeopleCounts campaign={campaign} />
    </Panel>
  );
}

/** What each part counts, as the list of mails asks for it. */
const PARTS = {
  sent: 'sent',
  planned: 'scheduled,queued,sending,retry_scheduled',
  stopped: 'cancelled,skipped,expired',
  dead: 'dead,held',
} as const;
type Part = keyof typeof PARTS;

const mailsOf = (id: string, { order }: Step, part: Part) => ({
  campaignId: id,
  step: String(order),
  state: PARTS[part],
});

/** A number leads to the mails that it counts. */
function StepDoor({
  step,
  id,
  part,
  strong = false,
}: {
  readonly step: Step;
  readonly id: string;
  readonly part: Part;
  readonly strong?: boolean;
}) {
  const n = (
    <span className={classNames('figures', strong && 'font-bold text-ink')}>{numberWords(step[part])}</span>
  );
  if (step[part] === 0)
    return (
      <>
        {n} {part}
      </>
    );
  return (
    <Link
      to="/queue"
      search={mailsOf(id, step, part)}
      className={classNames('underline underline-offset-3', part === 'dead' ? 'text-dead' : 'text-ink-2')}
    >
      {n} {part}
    </Link>
  );
}

/** Its parts lead where the numbers beside it do. */
function StepBar({ step, id }: { readonly step: Step; readonly id: string }) {
  const [pattern, hatch] = useHatch();
  const navigate = useNavigate();
  const all = Math.max(1, step.sent + step.planned + step.stopped + step.dead);
  const share = (n: number) => `${(100 * n) / all}%`;
  const fills = { sent: 'var(--heat-4)', planned: hatch, stopped: 'var(--line-strong)', dead: 'var(--dead)' };
  const order: readonly Part[] = ['sent', 'planned', 'stopped', 'dead'];
  const before = (part: Part) =>
    order.slice(0, order.indexOf(part)).reduce((sum, each) => sum + step[each], 0);
  const H = 18;
  return (
    <svg aria-hidden height={H} width="100%" className="block min-w-0">
      {pattern}
      <rect width="100%" height={H} fill="var(--grid)" />
      {order.map((part) => (
        <rect
          key={part}
          x={share(before(part))}
          width={share(step[part])}
          height={H}
          fill={fills[part]}
          className="cursor-pointer"
          onClick={() => void navigate({ to: '/queue', search: mailsOf(id, step, part) })}
        />
      ))}
    </svg>
  );
}

function Legend() {
  const [pattern, hatch] = useHatch();
  const mark = (fill: string) => (
    <svg width="12" height="10" className="ml-1.5">
      {pattern}
      <rect width="12" height="10" fill={fill} />
    </svg>
  );
  return (
    <span aria-hidden className="flex items-center gap-1.5 text-note text-ink-2 max-sm:hidden">
      {mark('var(--heat-4)')} sent {mark(hatch)} planned {mark('var(--line-strong)')} stopped{' '}
      {mark('var(--dead)')} dead
    </span>
  );
}

function PeopleCounts({ campaign: { id, peopleBy } }: { readonly campaign: CampaignDetail }) {
  const cells = [
    ['active', 'still in sequence', peopleBy.active],
    ['replied', 'replied', peopleBy.replied],
    ['bounced', 'bounced', peopleBy.bounced],
    ['unsubscribed', 'unsubscribed', peopleBy.unsubscribed],
    ['paused', 'paused', peopleBy.paused],
  ] as const;
  return (
    <ul className="grid grid-cols-5 border-t border-line max-sm:grid-cols-2">
      {cells.map(([status, words, n]) => (
        <li key={status} className="border-l border-line px-3.5 py-2.5 first:border-l-0">
          <Link
            to="/campaigns/$campaignId/$part"
            params={{ campaignId: id, part: 'people' }}
            search={{ status }}
            className="block text-ink no-underline hover:underline"
          >
            <strong className="figures block text-title">{numberWords(n)}</strong>
            <span className="text-note text-ink-2">{words}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
