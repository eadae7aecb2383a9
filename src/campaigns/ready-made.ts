import { formatId } from '../core/ids.js';
import type { Mail } from '../core/mail.js';
import type { Action } from '../core/message.js';
import type { FirstFit } from '../core/plan/first-fit.js';
import type { Links } from '../links/links.js';
import { withFooter, type FooterFacts } from '../sequences/footer.js';
import type { Account } from '../store/scripts/accounts.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import type { ReadyMessage } from '../store/scripts/ready-messages.js';
import { lineOf, type PlannedMessage } from './page.js';
import type { World } from './world.js';

/** What somebody has said in his message, as it is kept until it has an account and a time. */
export interface ReadyContent {
  readonly subject: string | null;
  readonly body: string;
}

/** Where a person says that he wants no more of it. */
export type ReadyLinks = Pick<Links, 'unsubscribeUrl'>;

export interface PlannedReady {
  readonly rows: readonly PlannedMessage[];
  /** Those that are planned, or never will be. */
  readonly done: readonly number[];
  readonly unreachable: number;
  readonly late: number;
  readonly homeless: boolean;
}

/** Messages that were made by somebody else are people with one step each. */
export function placeReady(
  world: World,
  fitFor: (action: Action) => FirstFit,
  campaign: CampaignRow,
  ready: readonly ReadyMessage[],
  links: ReadyLinks,
  postalAddress: string,
): PlannedReady {
  const rows: PlannedMessage[] = [];
  const done: number[] = [];
  let [unreachable, late] = [0, 0];
  for (const message of ready) {
    const { id, action, contactId, timezone } = message;
    const recipient = action === 'email' ? message.email : message.linkedinId;
    const fit = fitFor(action);
    // One person is dealt to one account, whoever wrote the message.
    const position = message.position ?? contactId;
    const account = fit.accountFor(action, position);
    const sender = account && world.accounts.get(account.id)?.account;
    if (!message.active || recipient === null || !sender) {
      unreachable += 1;
      done.push(id);
      continue;
    }
    const window = world.windowOf(account.id, timezone);
    const placement = fit.place({ position, reachable: [action], window });
    if (placement.homeless > 0) return { rows, done, unreachable, late, homeless: true };
    done.push(id);
    const [placed] = placement.placed;
    if (!placed) {
      late += 1;
      continue;
    }
    rows.push({
      ...{ accountId: account.id, action, contactId, recipient, bodyHash: message.bodyHash, step: null },
      channelId: world.channelOf(account.id, action),
      key: message.key,
      recipientGiven: action === 'email' ? message.emailGiven : null,
      recipientName: message.name,
      subject: message.subject,
      sender: sender.emailAddress,
      dueAt: placed.at,
      closesAt: placed.closesAt,
      line: lineOf(placed),
      mail: JSON.stringify(
        mailOf(message, sender, {
          unsubscribeUrl: links.unsubscribeUrl(campaign.workspace_id, contactId, campaign.id),
          postalAddress,
        }),
      ),
    });
  }
  return { rows, done, unreachable, late, homeless: false };
}

const LOOKS_LIKE_HTML = /<(?:p|br|div|a|html|body|table|span|h[1-6]|ul|ol|b|i|strong|em)\b[^>]*>/i;

/** A text that holds tags is HTML; any other is what it is. A mail ends like every other of a campaign. */
function mailOf(message: ReadyMessage, sender: Account, footer: FooterFacts): Mail {
  const { subject, body } = JSON.parse(message.mail) as ReadyContent;
  const { email, emailGiven, name, linkedinId, action } = message;
  const byMail = action === 'email';
  return {
    from: {
      email: sender.emailAddress,
      ...(sender.displayName !== null && { name: sender.displayName }),
    },
    to: { email: emailGiven ?? email ?? linkedinId ?? '', ...(name !== null && { name }) },
    ...(!byMail && linkedinId !== null && { linkedinId }),
    subject: subject ?? '',
    ...(byMail
      ? withFooter(
          LOOKS_LIKE_HTML.test(body) ? { html: body } : { text: body },
          { body, bodyText: null },
          footer,
        )
      : { text: body }),
    ...(byMail && { unsubscribeUrl: footer.unsubscribeUrl }),
  };
}

/** Of somebody who gave none: the same content for the same person of the same campaign is the same message. */
export const readyKey = (campaignId: number, contactId: number, hash: string): string =>
  `${formatId('campaign', campaignId)}:${formatId('contact', contactId)}:${hash.slice(0, 32)}`;
