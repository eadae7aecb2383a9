import { canonicalAddress } from '../../core/address.js';
import { CAMPAIGN_STOPPED, type CampaignState, type EnrolmentState } from '../../core/campaign.js';
import { hopelessIf, type Hopeless } from '../../core/hopeless.js';
import type { Lane } from '../../core/message.js';
import { forbids } from '../../core/suppression.js';
import { askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import { readListed } from './suppression-list.js';

interface Row {
  readonly id: number;
  readonly recipient: string;
  readonly lane: Lane;
  readonly transactional: number;
  readonly expires_at: number | null;
  readonly campaign: CampaignState | null;
  readonly person: EnrolmentState | null;
}

/** A bounce is no end here: whoever tries again says that the address works. */
const endingOf = ({ campaign, person }: Row): string | undefined => {
  if (campaign === 'stopped') return CAMPAIGN_STOPPED;
  const isOver = person !== null && person !== 'active' && person !== 'paused' && person !== 'bounced';
  return isOver ? person : undefined;
};

/** Those of these messages that must not be tried again, and why: asked before they are, so that nobody hopes in vain. */
export function* hopelessAmong(
  store: Store,
  ids: readonly number[],
  { workspaceId, now }: { readonly workspaceId: number; readonly now: number },
): Script<ReadonlyMap<number, Hopeless>> {
  if (ids.length === 0) return new Map();
  const rows = yield* askCompiled<Row>({
    sql: `select m.id, m.recipient, m.lane, m.transactional, m.expires_at, k.state as campaign, e.state as person
      from ${store.at('messages')} m
      left join ${store.at('campaigns')} k on k.id = m.campaign_id
      left join ${store.at('enrolments')} e on e.campaign_id = m.campaign_id and e.contact_id = m.contact_id
      where m.id in (${
        store.dialect === 'postgres'
          ? 'select value::bigint from json_array_elements_text($1::json)'
          : 'select value from json_each(?1)'
      })`,
    parameters: [JSON.stringify(ids)],
  });
  const recipients = rows.map(({ recipient }) => recipient);
  const listed = yield* readListed(store, workspaceId, recipients);
  return new Map(
    rows.flatMap((row) => {
      const { id, recipient, lane, transactional, expires_at: expiresAt } = row;
      const known = listed.get(canonicalAddress(recipient));
      const errand = { lane, transactional: transactional === 1 };
      const suppression = known && forbids(known, errand) ? known : undefined;
      const hopeless = hopelessIf({ expiresAt, suppression, ending: endingOf(row) }, now);
      return hopeless ? [[id, hopeless] as const] : [];
    }),
  );
}
