import type { WorkspaceProfile } from '../../core/delivery-settings.js';
import type { Subscriber } from '../../links/subscribers.js';
import { escaped, form, page, told, type Say } from './page.js';
import { subscriberWordsIn, type SubscriberWords } from './subscriber-words.js';

/** What a page shows beside how it stands. */
export interface Shown {
  readonly notice?: 'saved' | 'badWindow' | 'badLimit' | 'askedAgain' | undefined;
}

interface Facts {
  readonly subscriber: Subscriber;
  readonly words: SubscriberWords;
  readonly locale: string;
  readonly say: Say;
  /** Where the link of a subscription leads. */
  readonly urlOf: (subscriptionId: number) => string;
}

export interface Setting {
  readonly subscriber: Subscriber;
  readonly profile: WorkspaceProfile;
  readonly urlOf: Facts['urlOf'];
}

/** The link of a mail: this topic, or everything. */
export const stopPage = (setting: Setting): string =>
  inFrame(setting, (facts) => {
    const { subscriber, words, say, urlOf } = facts;
    const manage = `<p><a href="${escaped(urlOf(subscriber.subscription.id))}">${say(words.manage)}</a></p>`;
    const ended = endedOf(facts);
    if (ended !== undefined) return ended;
    const buttons = `${button('stop', words.stop, say, true)}${button('everything', words.stopAll, say)}`;
    return `<h1>${say(words.askStop)}</h1><p>${say(words.goesTo)}</p>${form(buttons)}${manage}<p><small>${say(words.nothingYet)}</small></p>`;
  });

/** What is ended is shown as that; undefined: it is not. */
function endedOf({ subscriber, words, say }: Facts): string | undefined {
  const { stopped, subscription, canUndo } = subscriber;
  if (stopped === 'by others') return told(words.stoppedByOthers, words.goesTo, say);
  if (stopped === 'no' && subscription.status !== 'unsubscribed') return undefined;
  const everything = stopped === 'no' ? form(button('everything', words.stopAll, say)) : '';
  const undo = canUndo ? `<h2>${say(words.mistake)}</h2>${form(button('undo', words.undo, say))}` : '';
  const again = canUndo ? '' : form(button('again', words.again, say));
  return `${told(stopped === 'no' ? words.stopped : words.stoppedAll, words.holds, say)}${everything}${undo}${again}`;
}

export const confirmPage = (setting: Setting, isConfirmed: boolean): string =>
  inFrame(setting, ({ words, say }) =>
    isConfirmed
      ? told(words.confirmed, words.confirmedText, say)
      : `${told(words.askConfirm, words.goesTo, say)}${form(button('confirm', words.confirm, say, true))}<p><small>${say(words.nothingYet)}</small></p>`,
  );

/** Everything that somebody can decide about one topic, and the way to his others. */
export const managePage = (setting: Setting, { notice }: Shown = {}): string =>
  inFrame(setting, (facts) => {
    const { subscriber, words, say } = facts;
    const { subscription, stopped } = subscriber;
    const said = notice === undefined ? '' : `<p role="status"><strong>${say(words[notice])}</strong></p>`;
    const standing =
      stopped === 'no'
        ? words.status[subscription.status]
        : stopped === 'by himself'
          ? words.stoppedAll
          : words.stoppedByOthers;
    return [
      `<h1>${say(words.title)}</h1>${said}<p>${say(standing)} ${say(words.goesTo)}</p>`,
      stopped === 'no' ? decisions(facts) : undoOf(facts),
      topics(facts),
    ].join('');
  });

function undoOf({ subscriber: { canUndo }, words, say }: Facts): string {
  return canUndo ? form(button('undo', words.undo, say, true)) : '';
}

function decisions(facts: Facts): string {
  const { subscriber, words, say } = facts;
  const { status } = subscriber.subscription;
  const everything = form(button('everything', words.stopAll, say));
  if (status === 'unsubscribed') {
    const back = subscriber.canUndo ? undoOf(facts) : form(button('again', words.again, say, true));
    return `${back}${everything}`;
  }
  if (status !== 'active' && status !== 'paused')
    return `${form(button('stop', words.stop, say))}${everything}`;
  const toggle =
    status === 'active' ? button('pause', words.pause, say) : button('resume', words.resume, say, true);
  return [
    form(`${toggle}${button('stop', words.stop, say)}${button('everything', words.stopAll, say)}`),
    whatOf(facts),
    snoozeOf(facts),
    windowOf(facts),
  ].join('');
}

function snoozeOf({ subscriber, words, locale, say }: Facts): string {
  const { preferences, timezone } = subscriber.subscription;
  const { snoozeUntil } = preferences;
  const heading = `<h2>${say(words.snooze)}</h2>`;
  const times = `${button('snooze-1', words.aDay, say)}${button('snooze-7', words.aWeek, say)}`;
  if (snoozeUntil === null) return `${heading}${form(times)}`;
  const format = new Intl.DateTimeFormat(locale, {
    ...{ dateStyle: 'full', timeStyle: 'short', timeZone: timezone ?? 'UTC' },
  });
  const until = say(words.snoozed).replace('{time}', () => escaped(format.format(snoozeUntil)));
  return `${heading}<p>${until}</p>${form(`${button('wake', words.wake, say)}${times}`)}`;
}

function windowOf({ subscriber, words, say }: Facts): string {
  const { deliveryWindow } = subscriber.subscription.preferences;
  const input = (name: 'from' | 'to', minutes: number | undefined) =>
    `<label>${say(words[name])}<input type="time" name="${name}" value="${minutes === undefined ? '' : clock(minutes)}"></label>`;
  const fields = `${input('from', deliveryWindow?.startMinutes)}${input('to', deliveryWindow?.endMinutes)}`;
  return `<h2>${say(words.window)}</h2><p>${say(words.windowText)}</p>${form(
    `${fields}${button('window', words.saveWindow, say)}`,
  )}`;
}

/** Of what he is told, as far as its events differ, and how often at most. */
function whatOf({ subscriber, words, say }: Facts): string {
  const { statuses, subscription } = subscriber;
  const { preferences, notified } = subscription;
  const { notifyOn, maxNotifications } = preferences;
  const ticks = statuses.map(
    (each, n) =>
      `<label class="tick"><input type="checkbox" name="on.${String(n)}" value="${escaped(each)}"${
        notifyOn?.includes(each) ? ' checked' : ''
      }><bdi>${escaped(each)}</bdi></label>`,
  );
  const which =
    ticks.length === 0
      ? ''
      : `<fieldset><legend>${say(words.which)}</legend><p><small>${say(words.whichText)}</small></p>${ticks.join('')}</fieldset>`;
  const used =
    maxNotifications === null
      ? ''
      : `<p><small>${say(words.used).replace('{n}', String(notified)).replace('{max}', String(maxNotifications))}</small></p>`;
  // What is stored can be saved again unchanged, also where only the API sets such a limit.
  const [min, max] = [Math.min(1, maxNotifications ?? 1), Math.max(999_999_999, maxNotifications ?? 1)];
  const most = `<label>${say(words.most)}<input type="number" name="most" min="${String(min)}" max="${String(max)}" step="1" inputmode="numeric" value="${
    maxNotifications === null ? '' : String(maxNotifications)
  }"></label>`;
  return `<h2>${say(words.what)}</h2>${form(`${which}${most}${used}${button('what', words.saveWhat, say)}`)}`;
}

/** The end of a day is its last minute on a clock. */
const clock = (minutes: number): string => {
  const shown = Math.min(minutes, 1_439);
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`;
};

function topics({ subscriber, words, say, urlOf }: Facts): string {
  const { all, subscription } = subscriber;
  if (all.length < 2) return '';
  const items = all.map(({ id, topic, status }) => {
    const name = escaped(topic);
    const link =
      id === subscription.id ? `<strong>${name}</strong>` : `<a href="${escaped(urlOf(id))}">${name}</a>`;
    return `<li>${link}<br><small>${say(words.status[status])}</small></li>`;
  });
  return `<h2>${say(words.others)}</h2><ul>${items.join('')}</ul>`;
}

const button = (choice: string, text: string, say: Say, isFirst = false): string =>
  `<button${isFirst ? ' class="first"' : ''} name="do" value="${choice}">${say(text)}</button>`;

/** Where somebody without a mail at hand asks for his link; the answer is the same for everybody. */
export function askPage(locale: string, isAsked: boolean): string {
  const { words } = subscriberWordsIn(locale);
  const say: Say = (text) => escaped(text);
  const field = `<label>${say(words.email)}<input type="email" name="email" autocomplete="email" required maxlength="254"></label>`;
  const body = isAsked
    ? told(words.linkSent, words.linkSentText, say)
    : `${told(words.askLink, words.askLinkText, say)}${form(`${field}<button class="first">${say(words.sendLink)}</button>`)}`;
  return page(locale, '', body, '');
}

function inFrame({ subscriber, profile, urlOf }: Setting, body: (facts: Facts) => string): string {
  const { address, subscription } = subscriber;
  const { locale, words } = subscriberWordsIn(subscription.locale ?? profile.defaultLocale);
  const put: Readonly<Record<string, string>> = {
    sender: escaped(profile.name),
    address: `<strong dir="ltr">${escaped(address)}</strong>`,
    // A topic is a machine's word as often as a person's: whichever way its letters run, the sentence around it stays.
    topic: `<bdi>${escaped(subscription.topic)}</bdi>`,
  };
  const say: Say = (text) =>
    escaped(text).replace(/\{(sender|address|topic)\}/g, (_, name: string) => put[name] ?? '');
  return page(
    locale,
    profile.name,
    body({ subscriber, words, locale, say, urlOf }),
    profile.postalAddress ?? '',
  );
}
