import type { WorkspaceProfile } from '../../core/delivery-settings.js';
import type { Subscriber } from '../../links/subscribers.js';
import type { Subscription } from '../../store/scripts/subscriptions.js';
import { BREAK_DAYS } from './choice.js';
import { escaped, form, isolated, page, told, type Say } from './page.js';
import type { Sender } from './sender.js';
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
    return `<h1>${say(words.askStop)}</h1><p>${say(words.goesTo)}</p>${form(buttons)}<p><small>${say(words.stillComes)}</small></p>${manage}<p><small>${say(words.nothingYet)}</small></p>`;
  });

/** What is ended is shown as that; undefined: it is not. */
function endedOf({ subscriber, words, say, urlOf }: Facts): string | undefined {
  const { stopped, subscription, canUndo } = subscriber;
  if (stopped === 'by others') return told(words.stoppedByOthers, words.goesTo, say);
  if (stopped === 'no' && subscription.status !== 'unsubscribed') return undefined;
  const everything = stopped === 'no' ? form(button('everything', words.stopAll, say)) : '';
  const undo = canUndo ? `<h2>${say(words.mistake)}</h2>${form(button('undo', words.undo, say))}` : '';
  const again = canUndo ? '' : form(button('again', words.again, say));
  const goesOn = subscriber.all.some(({ id, status }) => id !== subscription.id && status === 'active');
  const others =
    stopped === 'no' && goesOn
      ? `<p><a href="${escaped(urlOf(subscription.id))}">${say(words.others)}</a></p>`
      : '';
  return `${told(stopped === 'no' ? words.stopped : words.stoppedAll, words.holds, say)}${everything}${others}${undo}${again}`;
}

export const confirmPage = (setting: Setting, isConfirmed: boolean): string =>
  inFrame(setting, ({ words, say }) =>
    isConfirmed
      ? told(words.confirmed, words.confirmedText, say)
      : `${told(words.askConfirm, words.goesTo, say)}${form(button('confirm', words.confirm, say, true))}<p><small>${say(words.nothingYet)}</small></p><h2>${say(words.notAsked)}</h2><p><small>${say(words.notAskedText)}</small></p>`,
  );

/** Everything that somebody can decide, of all his topics at once. */
export const managePage = (setting: Setting, { notice }: Shown = {}): string =>
  inFrame(setting, (facts) => {
    const { subscriber, words, say } = facts;
    const { stopped, canUndo } = subscriber;
    const said = notice === undefined ? '' : `<p role="status"><strong>${say(words[notice])}</strong></p>`;
    const head = `<h1>${say(words.title)}</h1>${said}<p>${say(words.goesTo)}</p>`;
    if (stopped !== 'no') {
      const standing = stopped === 'by himself' ? words.stoppedAll : words.stoppedByOthers;
      return `${head}<p>${say(standing)}</p>${canUndo ? form(button('undo', words.undo, say, true)) : ''}`;
    }
    const parts = [topicsOf(facts), hoursOf(facts), breakOf(facts), whatOf(facts)];
    // A number that is none keeps nobody from stopping everything.
    const everything = button('everything', words.stopAll, say).replace('<button', '<button formnovalidate');
    return `${head}${form(`${parts.join('')}${button('save', words.save, say, true)}${everything}`)}`;
  });

/** A tick for each; what it was goes along, so that only what somebody has changed is changed. */
function topicsOf({ subscriber: { all }, words, say }: Facts): string {
  const ticks = all.map((each) => {
    const isOn = each.status === 'active' || each.status === 'pending';
    const id = String(each.id);
    const field =
      each.status === 'suppressed'
        ? '<input type="checkbox" disabled>'
        : `<input type="hidden" name="was.${id}" value="${isOn ? 'on' : 'off'}"><input type="checkbox" name="tell.${id}"${isOn ? ' checked' : ''}>`;
    return `<li><label class="tick">${field}<span><bdi>${escaped(each.topic)}</bdi>${noteOf(each, words, say)}</span></label></li>`;
  });
  return `<fieldset><legend>${say(words.tellMe)}</legend><ul>${ticks.join('')}</ul></fieldset>`;
}

function noteOf({ status, preferences, notified }: Subscription, words: SubscriberWords, say: Say): string {
  const { notifyOn, maxNotifications: max } = preferences;
  const notes =
    status === 'active'
      ? [
          ...(notifyOn === null ? [] : [escaped(notifyOn.join(', '))]),
          ...(max === null ? [] : [usedWords(words, say, notified, max)]),
        ]
      : [say(words.status[status])];
  return notes.length === 0 ? '' : `<small>${notes.join(' · ')}</small>`;
}

const usedWords = (words: SubscriberWords, say: Say, n: number, max: number): string =>
  say(words.used).replace('{n}', String(n)).replace('{max}', String(max));

function hoursOf({ subscriber, words, say }: Facts): string {
  const { preferences, timezone } = subscriber.subscription;
  const { deliveryWindow } = preferences;
  const [from, to] = deliveryWindow
    ? [clock(deliveryWindow.startMinutes), clock(deliveryWindow.endMinutes)]
    : ['', ''];
  const input = (name: 'from' | 'to', value: string) =>
    `<input type="time" name="${name}" value="${value}" aria-label="${say(words[name])}">`;
  const zone = (timezone ?? 'UTC').split('/').at(-1)?.replaceAll('_', ' ') ?? '';
  const note = say(words.zoneNote).replace('{zone}', () => escaped(zone));
  return `<fieldset><legend>${say(words.between)}</legend><input type="hidden" name="hours" value="${from}/${to}"><div class="row">${input('from', from)}<span>${say(words.and)}</span>${input('to', to)}</div><p><small>${note}</small></p></fieldset>`;
}

function breakOf({ subscriber, words, locale, say }: Facts): string {
  const { preferences, timezone } = subscriber.subscription;
  const { snoozeUntil } = preferences;
  const format = new Intl.DateTimeFormat(locale, {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: timezone ?? 'UTC' },
  });
  const option = (value: string, text: string) => `<option value="${value}">${text}</option>`;
  const present =
    snoozeUntil === null
      ? option('keep', say(words.noBreak))
      : `${option(
          'keep',
          say(words.breakUntil).replace('{time}', () => escaped(format.format(snoozeUntil))),
        )}${option('none', say(words.noBreak))}`;
  const times = [words.aDay, words.aWeek, words.aMonth].map((text, n) =>
    option(String(BREAK_DAYS[n]), say(text)),
  );
  return `<label>${say(words.takeABreak)}<select name="break">${present}${times.join('')}</select></label>`;
}

/** Of what he is told, as far as its events differ, and how often at most: of the topic whose link he followed. */
function whatOf({ subscriber, words, say }: Facts): string {
  const { statuses, subscription } = subscriber;
  const { preferences } = subscription;
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
  // What is stored can be saved again unchanged, also where only the API sets such a limit.
  const [min, max] = [Math.min(1, maxNotifications ?? 1), Math.max(999_999_999, maxNotifications ?? 1)];
  const most = `<label>${say(words.most)}<input type="number" name="most" min="${String(min)}" max="${String(max)}" step="1" inputmode="numeric" value="${
    maxNotifications === null ? '' : String(maxNotifications)
  }"></label>`;
  return `<details><summary>${say(words.what)}</summary>${which}${most}</details>`;
}

/** The end of a day is its last minute on a clock. */
const clock = (minutes: number): string => {
  const shown = Math.min(minutes, 1_439);
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`;
};

const button = (choice: string, text: string, say: Say, isFirst = false): string =>
  `<button${isFirst ? ' class="first"' : ''} name="do" value="${choice}">${say(text)}</button>`;

/** Where somebody without a mail at hand asks for his link; the answer is the same for everybody. */
export function askPage(locale: string, sender: Sender | undefined, isAsked: boolean): string {
  const { words } = subscriberWordsIn(locale);
  const say: Say = (text) => escaped(text).replace('{sender}', () => isolated(sender?.name ?? ''));
  const title = sender ? words.askLinkOf : words.askLink;
  const body = isAsked
    ? told(words.linkSent, words.linkSentText, escaped)
    : `${told(title, words.askLinkText, say)}${askForm(words)}`;
  return page(locale, sender?.name ?? '', body, sender?.postalAddress ?? '');
}

/** One for all that is no link: forged, cut, too old, or of somebody who is not here any more. */
export function gonePage(asked: string, sender: Sender | undefined): string {
  const { locale, words } = subscriberWordsIn(asked);
  // Beside the address of a link, wherever a proxy has put them.
  const body = `${told(words.gone, words.askLinkText, escaped)}${askForm(words, '../m')}<p><small>${escaped(words.goneText)}</small></p>`;
  return page(locale, sender?.name ?? '', body, sender?.postalAddress ?? '');
}

function askForm(words: SubscriberWords, action?: string): string {
  const to = action === undefined ? '' : ` action="${action}"`;
  const field = `<label>${escaped(words.email)}<input type="email" name="email" autocomplete="email" required maxlength="254"></label>`;
  return `<form method="post"${to}>${field}<button class="first">${escaped(words.sendLink)}</button></form><p><small>${escaped(words.sameForAll)}</small></p>`;
}

function inFrame({ subscriber, profile, urlOf }: Setting, body: (facts: Facts) => string): string {
  const { address, subscription } = subscriber;
  const { locale, words } = subscriberWordsIn(subscription.locale ?? profile.defaultLocale);
  const put: Readonly<Record<string, string>> = {
    sender: isolated(profile.name),
    address: `<strong dir="ltr">${escaped(address)}</strong>`,
    topic: isolated(subscription.topic),
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
