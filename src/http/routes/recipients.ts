import type { FastifyRequest } from 'fastify';
import { formatId } from '../../core/ids.js';
import { needsConfirmation, Subscribers, type Subscriber } from '../../links/subscribers.js';
import { Unsubscriptions, type Reader } from '../../links/unsubscriptions.js';
import { Type } from '../../vendor/typebox.js';
import { perService } from '../per-service.js';
import { answerLink, show, showLater } from '../recipients/answer.js';
import { LinkMails } from '../recipients/link-mails.js';
import { choiceIn } from '../recipients/choice.js';
import { readerPage } from '../recipients/page.js';
import { onlySenderOf } from '../recipients/sender.js';
import { fieldsIn, isOneClick, pressedIn } from '../recipients/pressed.js';
import {
  askPage,
  confirmPage,
  managePage,
  stopPage,
  type Setting,
  type Shown,
} from '../recipients/subscriber-page.js';
import { localeAskedFor } from '../recipients/subscriber-words.js';
import { Turnstile } from '../recipients/turnstile.js';
import { document, openRoute, type Route } from '../route.js';
import type { Service } from '../service.js';

const WithToken = Type.Object({ token: Type.String() });
const Page = document('text/html');
/** From one place: a person asks once or twice. */
const ASKED_A_MINUTE = 10;

const unsubscriptionsOf = perService(({ box }) => new Unsubscriptions(box.store, box.links));
const subscribersOf = perService(({ box }) => new Subscribers(box.store, box.links));
const linkMailsOf = perService((service) => new LinkMails(service));
const askedOf = perService(() => new Turnstile(ASKED_A_MINUTE));

/** For those who get mail, without a key: the link itself says who it is. A GET changes nothing, because machines follow links. */
export const recipientRoutes: readonly Route[] = [
  openRoute(
    'anyone',
    {
      method: 'GET',
      url: '/u/:token',
      operation: 'showUnsubscribe',
      summary: 'What the link in a mail leads to: a page that asks, and changes nothing',
      params: WithToken,
      answer: Page,
    },
    ({ service, params: { token }, reply }) =>
      answerLink(service, token, reply, async ({ purpose }) => {
        if (purpose === 'manage') {
          const subscriber = await subscribersOf(service).look(token);
          return subscriber && stopPage(await settingOf(service, subscriber));
        }
        const reader = await unsubscriptionsOf(service).look(token);
        return reader && pageOf(service, reader);
      }),
  ),
  openRoute(
    'anyone',
    {
      method: 'POST',
      url: '/u/:token',
      operation: 'unsubscribe',
      summary: 'One click of a mail program (RFC 8058), or a button of that page',
      params: WithToken,
      forms: true,
      answer: Page,
    },
    ({ service, params: { token }, request, reply }) =>
      answerLink(service, token, reply, async ({ purpose }) => {
        const fields = fieldsIn(request.body, request.headers['content-type']);
        if (purpose === 'manage') return pressedBySubscriber(service, token, fields);
        const pressed = pressedIn(fields);
        const people = unsubscriptionsOf(service);
        if (pressed === 'undo') {
          const reader = await people.undo(token);
          return reader && pageOf(service, reader, true);
        }
        const reader = await people.stop(token, pressed === 'everything' ? 'everything' : 'campaigns');
        // A machine that asked wants no page.
        return reader && (pressed === 'one-click' ? '' : pageOf(service, reader));
      }),
  ),
  openRoute(
    'anyone',
    {
      method: 'GET',
      url: '/m',
      operation: 'showAskForLink',
      summary: 'A page on which somebody asks for the link to the page about his mails',
      answer: Page,
    },
    async ({ service, request, reply }) =>
      show(reply, askPage(localeOf(request), await onlySenderOf(service).ask(), false)),
  ),
  openRoute(
    'anyone',
    {
      method: 'POST',
      url: '/m',
      operation: 'askForLink',
      summary: 'Mail that link to an address; the answer is the same whether it is known or not',
      forms: true,
      answer: Page,
    },
    async ({ service, request, reply }) => {
      if (!askedOf(service).lets(request.ip)) return showLater(reply.code(429));
      const email = fieldsIn(request.body, request.headers['content-type']).get('email');
      // Nobody waits for it: also the time that an answer takes would tell who is known.
      linkMailsOf(service).ask(email ?? '');
      return show(reply, askPage(localeOf(request), await onlySenderOf(service).ask(), true));
    },
  ),
  openRoute(
    'anyone',
    {
      method: 'GET',
      url: '/m/:token',
      operation: 'showSubscriptions',
      summary: 'What a reader of notifications gets, and how he changes it',
      params: WithToken,
      answer: Page,
    },
    ({ service, params: { token }, reply }) =>
      answerLink(service, token, reply, async () => {
        const subscriber = await subscribersOf(service).look(token);
        return subscriber && managePage(await settingOf(service, subscriber));
      }),
  ),
  openRoute(
    'anyone',
    {
      method: 'POST',
      url: '/m/:token',
      operation: 'chooseSubscriptions',
      summary: 'A button of that page',
      params: WithToken,
      forms: true,
      answer: Page,
    },
    ({ service, params: { token }, request, reply }) =>
      answerLink(service, token, reply, async () => {
        const fields = fieldsIn(request.body, request.headers['content-type']);
        const { subscriber, notice } = await chosenBySubscriber(service, token, fields);
        return subscriber && managePage(await settingOf(service, subscriber), { notice });
      }),
  ),
  openRoute(
    'anyone',
    {
      method: 'GET',
      url: '/c/:token',
      operation: 'showConfirmation',
      summary: 'A page that asks whether a subscription is really wanted, and changes nothing',
      params: WithToken,
      answer: Page,
    },
    ({ service, params: { token }, reply }) =>
      answerLink(service, token, reply, async () => {
        const subscriber = await subscribersOf(service).lookAtConfirmation(token);
        return subscriber && confirmationOf(service, subscriber);
      }),
  ),
  openRoute(
    'anyone',
    {
      method: 'POST',
      url: '/c/:token',
      operation: 'confirmSubscription',
      summary: 'The subscription is wanted: from now on it is active',
      params: WithToken,
      forms: true,
      answer: Page,
    },
    ({ service, params: { token }, reply }) =>
      answerLink(service, token, reply, async () => {
        const subscriber = await subscribersOf(service).confirm(token);
        return subscriber && confirmationOf(service, subscriber);
      }),
  ),
];

const localeOf = ({ headers }: FastifyRequest): string => localeAskedFor(headers['accept-language']);

async function pageOf(service: Service, reader: Reader, isUndone = false): Promise<string> {
  const { settings } = await service.box.workspace(reader.workspaceId);
  return readerPage(reader, await settings.profile(), isUndone);
}

async function settingOf({ box }: Service, subscriber: Subscriber): Promise<Setting> {
  const { settings } = await box.workspace(subscriber.workspaceId);
  const urlOf = (id: number) => box.links.subscriptionUrls(subscriber.workspaceId, id).manageUrl;
  return { subscriber, profile: await settings.profile(), urlOf };
}

const confirmationOf = async (service: Service, subscriber: Subscriber): Promise<string> =>
  confirmPage(await settingOf(service, subscriber), subscriber.subscription.status === 'active');

/** Whatever else is posted there ends the topic: it is what the address is for. */
async function pressedBySubscriber(
  service: Service,
  token: string,
  fields: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  if (isOneClick(fields)) return (await subscribersOf(service).choose(token, { do: 'stop' })) && '';
  if (choiceIn(fields) === undefined) fields = new Map([['do', 'stop']]);
  const { subscriber, notice } = await chosenBySubscriber(service, token, fields);
  if (!subscriber) return undefined;
  const setting = await settingOf(service, subscriber);
  // Who stays is shown what he gets.
  const isEnded = subscriber.stopped !== 'no' || subscriber.subscription.status === 'unsubscribed';
  return isEnded ? stopPage(setting) : managePage(setting, { notice });
}

async function chosenBySubscriber(
  service: Service,
  token: string,
  fields: ReadonlyMap<string, string>,
): Promise<Shown & { readonly subscriber: Subscriber | undefined }> {
  const subscribers = subscribersOf(service);
  const before = await subscribers.look(token);
  if (!before) return { subscriber: undefined };
  const { workspaceId, subscription, all, stopped } = before;
  const choice = choiceIn(fields, subscription.preferences.maxNotifications);
  if (choice === undefined) return { subscriber: before };
  if (choice === 'badWindow' || choice === 'badLimit') return { subscriber: before, notice: choice };
  const now = await service.box.store.now();
  const wanted =
    choice === 'again'
      ? [subscription.id]
      : choice.do === 'save' && stopped === 'no'
        ? choice.topics.filter(({ on }) => on).map(({ id }) => id)
        : [];
  const back = all.filter(
    (each) => wanted.includes(each.id) && (choice === 'again' || needsConfirmation(each, now)),
  );
  if (choice !== 'again') await subscribers.choose(token, choice);
  // Coming back takes a fresh confirmation, which is asked for by mail.
  const { subscriptions } = await service.box.workspace(workspaceId);
  for (const { id } of back)
    await subscriptions.update(formatId('subscription', id), { status: 'active' }, 'recipient');
  return { subscriber: await subscribers.look(token), notice: back.length > 0 ? 'askedAgain' : 'saved' };
}
