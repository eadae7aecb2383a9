import { canonicalAddress } from '../core/address.js';
import type { Mail } from '../core/mail.js';
import { forPeople } from '../core/text.js';
import type { Links } from '../links/links.js';
import type { Script } from '../store/script.js';
import { ensureChannel, type Account } from '../store/scripts/accounts.js';
import { countConfirmations } from '../store/scripts/subscription-writes.js';
import { noteHappening, type Subscription } from '../store/scripts/subscriptions.js';
import type { Store } from '../store/store.js';

const A_DAY = 3;
const DAY_MS = 86_400_000;
const LIFE_MS = 7 * DAY_MS;

interface Words {
  readonly subject: (topic: string) => string;
  readonly text: (topic: string, sender: string, confirmUrl: string) => string;
}

const ENGLISH: Words = {
  subject: (topic) => `Please confirm: ${topic}`,
  text: (topic, sender, url) =>
    `Somebody, hopefully you, asked ${sender} to tell you about “${topic}”.\n\nTo be told, confirm it here:\n${url}\n\n` +
    'If it was not you, do nothing: nothing more will be sent. The link is good for a week.\n',
};

const FRENCH: Words = {
  subject: (topic) => `Veuillez confirmer : ${topic}`,
  text: (topic, sender, url) =>
    `Quelqu’un, vous-même sans doute, a demandé à ${sender} de vous tenir au courant de « ${topic} ».\n\n` +
    `Pour recevoir ces messages, confirmez ici :\n${url}\n\n` +
    'Si ce n’était pas vous, ne faites rien : rien d’autre ne vous sera envoyé. Le lien est valable une semaine.\n',
};

const GERMAN: Words = {
  subject: (topic) => `Bitte bestätigen: ${topic}`,
  text: (topic, sender, url) =>
    `Jemand, wohl Sie selbst, hat ${sender} gebeten, Ihnen von „${topic}“ zu berichten.\n\n` +
    `Wenn Sie das möchten, bestätigen Sie es hier:\n${url}\n\n` +
    'Wenn nicht, tun Sie nichts: es kommt keine weitere Mail. Der Link gilt eine Woche.\n',
};

const ARABIC: Words = {
  subject: (topic) => `أكّد من فضلك: ${topic}`,
  text: (topic, sender, url) =>
    `طلب أحدهم، ولعله أنت، من ${sender} إخبارك عن «${topic}».\n\nلكي نخبرك، أكّد ذلك هنا:\n${url}\n\n` +
    'إن لم تكن أنت، فلا تفعل شيئاً: لن يُرسل شيء آخر. الرابط صالح لأسبوع.\n',
};

const BY_LANGUAGE: Readonly<Record<string, Words>> = {
  ...{ en: ENGLISH, fr: FRENCH, de: GERMAN, ar: ARABIC },
};

const wordsIn = (locale: string | null): Words =>
  (locale === null ? undefined : BY_LANGUAGE[new Intl.Locale(locale).language]) ?? ENGLISH;

/**
 * Asks somebody whether he really wants to be told: one mail, which his subscription waits for. At most three a day for
 * an address, whoever asks for them. Answers the channel in which it waits; undefined: he was asked often enough.
 */
export function* askToConfirm(
  store: Store,
  account: Account,
  links: Links,
  subscription: Subscription,
  now: number,
): Script<number | undefined> {
  if ((yield* countConfirmations(store, subscription, now - DAY_MS)) >= A_DAY) return undefined;
  const channelId = yield* ensureChannel(store, account.id, 'email', 'outbox');
  const mail = confirmationOf(account, links, subscription, now);
  const [stored] = yield* store.enqueueWithin([
    {
      ...{ workspaceId: account.workspaceId, channelId, lane: 'outbox', action: 'email' },
      ...{ idempotencyKey: null, bodyHash: null, traceId: null, dueAt: null },
      recipient: mail.to.email,
      recipientName: mail.to.name ?? null,
      sender: account.emailAddress,
      subject: mail.subject,
      expiresAt: now + LIFE_MS,
      ...{ retryPolicy: 'outbox', doubtPolicy: 'resend', transactional: true },
      mail: JSON.stringify(mail),
    },
  ]);
  yield* noteHappening(
    store,
    subscription.id,
    { kind: 'confirmation_sent', actor: null, messageId: stored?.id },
    now,
  );
  return channelId;
}

function confirmationOf(
  { workspaceId, emailAddress, displayName }: Account,
  links: Links,
  { id, topic, contact, contactGiven, name, locale }: Subscription,
  now: number,
): Mail {
  const words = wordsIn(locale);
  const shown = forPeople(topic, 100);
  const sender = displayName ?? canonicalAddress(emailAddress);
  return {
    from: { email: emailAddress, ...(displayName !== null && { name: displayName }) },
    to: { email: contactGiven ?? contact, ...(name !== null && name !== '' && { name }) },
    subject: words.subject(shown),
    text: words.text(shown, sender, links.confirmUrl(workspaceId, id, now)),
    headers: { 'Auto-Submitted': 'auto-generated' },
    unsubscribeUrl: links.subscriptionUrls(workspaceId, id).unsubscribeUrl,
  };
}
