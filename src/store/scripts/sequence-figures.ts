import { giveWay, type Script } from '../script.js';
import type { Store } from '../store.js';
import { readStepFigures, readTotals } from './campaign-figures.js';
import { Question } from './question.js';

/** So many messages are looked at, the newest campaigns first, and at least one campaign whole: a second of the database. */
const MOST_MESSAGES = 500_000;
/** Nobody has as many; more are not even added up. */
const MOST_CAMPAIGNS = 2_000;

export interface StepResult {
  readonly step: number;
  readonly sent: number;
  /** People whose first reply came after it, and before anything else was sent to them. */
  readonly replied: number;
}

export interface StepResults {
  readonly steps: readonly StepResult[];
  /** The newest so many of its campaigns are counted, and so many have been launched. */
  readonly counted: number;
  readonly campaigns: number;
}

/** What came of the steps of a sequence, by their number, whatever its version was then. */
export function* readStepResults(
  store: Store,
  workspaceId: number,
  sequenceId: number,
  most = MOST_MESSAGES,
): Script<StepResults> {
  const question = new Question(store);
  const campaigns = yield* question.ids(
    `select id from ${question.at('campaigns')} where workspace_id = ${question.bind(workspaceId)}
     and sequence_id = ${question.bind(sequenceId)} and launched_at is not null
     order by id desc limit ${String(MOST_CAMPAIGNS)}`,
  );
  const totals = yield* readTotals(store, campaigns);
  let messages = 0;
  const counted = campaigns.filter((id, place) => {
    messages += totals.get(id)?.total ?? 0;
    return place === 0 || messages <= most;
  });
  const found = new Map<number, StepResult>();
  const add = (step: number | null, over: Partial<StepResult>) => {
    if (step === null) return;
    const { sent, replied } = found.get(step) ?? { sent: 0, replied: 0 };
    found.set(step, { step, sent: sent + (over.sent ?? 0), replied: replied + (over.replied ?? 0) });
  };
  for (const id of counted) {
    const figures = yield* readStepFigures(store, id);
    for (const { step, state, n } of figures) if (state === 'sent') add(step, { sent: n });
    for (const { step, n } of yield* repliesByStep(store, id)) add(step, { replied: n });
    yield* giveWay();
  }
  const steps = [...found.values()].sort((one, other) => one.step - other.step);
  return { steps, counted: counted.length, campaigns: campaigns.length };
}

/** By the last step that somebody had got when the reply came. */
function repliesByStep(
  store: Store,
  campaignId: number,
): Script<readonly { readonly step: number | null; readonly n: number }[]> {
  const question = new Question(store);
  const { at, bind } = question;
  return question.rows(
    `select step, count(*) as n from (
       select e.contact_id, max(m.step_number) as step from ${at('enrolments')} e
       join ${at('messages')} m on m.contact_id = e.contact_id and m.campaign_id = e.campaign_id
       join ${at('outcomes')} o on o.message_id = m.id
       where e.campaign_id = ${bind(campaignId)} and e.replied_at is not null
         and o.state = 'sent' and o.finished_at <= e.replied_at
       group by e.contact_id) answered group by step`,
  );
}
