import { chooseLocale } from '../../core/locale.js';
import type { SubscriptionStatus } from '../../core/subscription.js';

/** What the pages for readers of notifications say. `{sender}`, `{address}`, `{topic}` and `{time}` are put in. */
export interface SubscriberWords {
  readonly askStop: string;
  readonly goesTo: string;
  readonly stop: string;
  readonly stopAll: string;
  readonly nothingYet: string;
  readonly stopped: string;
  readonly stoppedAll: string;
  readonly stoppedByOthers: string;
  readonly holds: string;
  readonly mistake: string;
  readonly undo: string;
  readonly manage: string;
  readonly askConfirm: string;
  readonly confirm: string;
  readonly confirmed: string;
  readonly confirmedText: string;
  readonly title: string;
  readonly saved: string;
  readonly status: Readonly<Record<SubscriptionStatus, string>>;
  readonly pause: string;
  readonly resume: string;
  readonly again: string;
  readonly askedAgain: string;
  readonly snoozed: string;
  readonly snooze: string;
  readonly aDay: string;
  readonly aWeek: string;
  readonly wake: string;
  readonly window: string;
  readonly windowText: string;
  readonly from: string;
  readonly to: string;
  readonly saveWindow: string;
  readonly badWindow: string;
  readonly what: string;
  readonly which: string;
  readonly whichText: string;
  readonly most: string;
  /** With `{n}` and `{max}`. */
  readonly used: string;
  readonly saveWhat: string;
  readonly badLimit: string;
  readonly others: string;
  readonly askLink: string;
  readonly askLinkText: string;
  readonly email: string;
  readonly sendLink: string;
  readonly linkSent: string;
  readonly linkSentText: string;
  readonly linkSubject: string;
  readonly linkMail: string;
}

const WORDS: Readonly<Record<string, SubscriberWords>> = {
  en: {
    askStop: 'No more mails about {topic}?',
    goesTo: 'They go to {address}.',
    stop: 'Stop this topic',
    stopAll: 'Stop everything from {sender}',
    nothingYet:
      'Nothing has changed yet. It is your press of a button that counts, not the opening of this page.',
    stopped: 'Stopped. No more mails about {topic}.',
    stoppedAll: 'Stopped. Nothing more from {sender}.',
    stoppedByOthers: '{sender} does not write to this address.',
    holds: 'It holds from now on for {address}. One mail that is already on its way may still come.',
    mistake: 'Pressed by mistake?',
    undo: 'Take it back',
    manage: 'Change when and how often instead',
    askConfirm: 'Be told about {topic}?',
    confirm: 'Yes, tell me',
    confirmed: 'Confirmed. You will be told about {topic}.',
    confirmedText: 'Mails go to {address}. Each of them has a link to change or end it.',
    title: 'Your mails about {topic}',
    saved: 'Saved.',
    status: {
      pending: 'Waits for your confirmation: look for our mail.',
      active: 'You are told of what is new.',
      paused: 'Paused: nothing is sent.',
      suppressed: 'Nothing is sent to this address.',
      unsubscribed: 'Stopped: nothing is sent.',
    },
    pause: 'Pause',
    resume: 'Go on',
    again: 'Be told again',
    askedAgain: 'We have sent a mail to {address}. You are told again once you confirm it there.',
    snoozed: 'Quiet until {time}.',
    snooze: 'Quiet for a while',
    aDay: 'For a day',
    aWeek: 'For a week',
    wake: 'Not quiet any more',
    window: 'Time of day',
    windowText: 'Mails come between these times. Leave both empty for any time.',
    from: 'From',
    to: 'Until',
    saveWindow: 'Save the times',
    badWindow: 'These times are none: give both, and not the same one twice.',
    what: 'What, and how often',
    which: 'Only when it is',
    whichText: 'Nothing ticked: of everything.',
    most: 'This many mails at most; empty: no limit',
    used: '{n} of {max} mails sent.',
    saveWhat: 'Save what and how often',
    badLimit: 'That is no number of mails: give a whole one from 1 on, or leave it empty.',
    others: 'All your topics',
    askLink: 'Change or end your mails',
    askLinkText: 'Give your address. We send a mail with a link to the page where you decide.',
    email: 'Your email address',
    sendLink: 'Send me the link',
    linkSent: 'Look into your mails.',
    linkSentText: 'If we know this address, a mail with the link is on its way to it. One an hour at most.',
    linkSubject: 'Your mails from {sender}',
    linkMail:
      'Here you decide which mails you get from {sender}:\n{link}\n\nYou have asked for this link. If not, do nothing.\n',
  },
  de: {
    askStop: 'Keine Mails mehr über {topic}?',
    goesTo: 'Sie gehen an {address}.',
    stop: 'Dieses Thema abbestellen',
    stopAll: 'Alles von {sender} abbestellen',
    nothingYet:
      'Noch hat sich nichts geändert. Es zählt der Druck auf einen Knopf, nicht das Öffnen dieser Seite.',
    stopped: 'Abbestellt. Keine Mails mehr über {topic}.',
    stoppedAll: 'Abbestellt. Nichts mehr von {sender}.',
    stoppedByOthers: '{sender} schreibt nicht an diese Adresse.',
    holds: 'Das gilt ab jetzt für {address}. Eine Mail, die schon unterwegs ist, kann noch kommen.',
    mistake: 'Aus Versehen gedrückt?',
    undo: 'Zurücknehmen',
    manage: 'Lieber ändern, wann und wie oft',
    askConfirm: 'Mails über {topic} bekommen?',
    confirm: 'Ja, gern',
    confirmed: 'Bestätigt. Sie hören von {topic}.',
    confirmedText: 'Mails gehen an {address}. Jede hat einen Link zum Ändern oder Beenden.',
    title: 'Ihre Mails über {topic}',
    saved: 'Gespeichert.',
    status: {
      pending: 'Wartet auf Ihre Bestätigung: sehen Sie nach unserer Mail.',
      active: 'Sie hören, was es Neues gibt.',
      paused: 'Pause: es wird nichts geschickt.',
      suppressed: 'An diese Adresse wird nichts geschickt.',
      unsubscribed: 'Abbestellt: es wird nichts geschickt.',
    },
    pause: 'Pause machen',
    resume: 'Weiter',
    again: 'Wieder bekommen',
    askedAgain: 'Wir haben eine Mail an {address} geschickt. Es geht weiter, sobald Sie dort bestätigen.',
    snoozed: 'Ruhe bis {time}.',
    snooze: 'Eine Weile Ruhe',
    aDay: 'Einen Tag',
    aWeek: 'Eine Woche',
    wake: 'Keine Ruhe mehr',
    window: 'Tageszeit',
    windowText: 'Mails kommen zwischen diesen Zeiten. Beide leer: jederzeit.',
    from: 'Von',
    to: 'Bis',
    saveWindow: 'Zeiten speichern',
    badWindow: 'Das sind keine Zeiten: geben Sie beide an, und nicht zweimal dieselbe.',
    what: 'Was, und wie oft',
    which: 'Nur bei',
    whichText: 'Nichts angekreuzt: bei allem.',
    most: 'Höchstens so viele Mails; leer: ohne Grenze',
    used: '{n} von {max} Mails geschickt.',
    saveWhat: 'Was und wie oft speichern',
    badLimit: 'Das ist keine Anzahl: geben Sie eine ganze Zahl ab 1 an, oder lassen Sie es leer.',
    others: 'Alle Ihre Themen',
    askLink: 'Ihre Mails ändern oder beenden',
    askLinkText: 'Geben Sie Ihre Adresse an. Wir schicken einen Link zu der Seite, auf der Sie entscheiden.',
    email: 'Ihre E-Mail-Adresse',
    sendLink: 'Link schicken',
    linkSent: 'Sehen Sie in Ihre Mails.',
    linkSentText:
      'Wenn wir diese Adresse kennen, ist eine Mail mit dem Link unterwegs. Höchstens eine je Stunde.',
    linkSubject: 'Ihre Mails von {sender}',
    linkMail:
      'Hier entscheiden Sie, welche Mails Sie von {sender} bekommen:\n{link}\n\nSie haben um diesen Link gebeten. Wenn nicht, tun Sie nichts.\n',
  },
  fr: {
    askStop: 'Plus de messages sur {topic} ?',
    goesTo: 'Ils sont envoyés à {address}.',
    stop: 'Arrêter ce sujet',
    stopAll: 'Tout arrêter de {sender}',
    nothingYet: 'Rien n’a encore changé. C’est le bouton qui compte, pas l’ouverture de cette page.',
    stopped: 'C’est arrêté. Plus de messages sur {topic}.',
    stoppedAll: 'C’est arrêté. Plus rien de {sender}.',
    stoppedByOthers: '{sender} n’écrit pas à cette adresse.',
    holds: 'Dès maintenant pour {address}. Un message déjà en route peut encore arriver.',
    mistake: 'Un geste par erreur ?',
    undo: 'Revenir en arrière',
    manage: 'Plutôt changer quand et combien',
    askConfirm: 'Recevoir des messages sur {topic} ?',
    confirm: 'Oui, prévenez-moi',
    confirmed: 'C’est confirmé. Vous serez prévenu pour {topic}.',
    confirmedText: 'Les messages vont à {address}. Chacun a un lien pour changer ou arrêter.',
    title: 'Vos messages sur {topic}',
    saved: 'C’est enregistré.',
    status: {
      pending: 'En attente de votre confirmation : cherchez notre message.',
      active: 'Vous êtes prévenu de ce qui est nouveau.',
      paused: 'En pause : rien n’est envoyé.',
      suppressed: 'Rien n’est envoyé à cette adresse.',
      unsubscribed: 'Arrêté : rien n’est envoyé.',
    },
    pause: 'Mettre en pause',
    resume: 'Reprendre',
    again: 'Être prévenu de nouveau',
    askedAgain: 'Nous avons écrit à {address}. Cela reprend dès que vous y confirmez.',
    snoozed: 'Silence jusqu’à {time}.',
    snooze: 'Un peu de silence',
    aDay: 'Un jour',
    aWeek: 'Une semaine',
    wake: 'Fin du silence',
    window: 'Heures',
    windowText: 'Les messages viennent entre ces heures. Laissez vide pour toute heure.',
    from: 'De',
    to: 'À',
    saveWindow: 'Enregistrer les heures',
    badWindow: 'Ce ne sont pas des heures : donnez les deux, et pas deux fois la même.',
    what: 'Quoi, et combien',
    which: 'Seulement pour',
    whichText: 'Rien de coché : pour tout.',
    most: 'Au plus tant de messages ; vide : sans limite',
    used: '{n} messages sur {max} envoyés.',
    saveWhat: 'Enregistrer quoi et combien',
    badLimit: 'Ce n’est pas un nombre : donnez un entier à partir de 1, ou laissez vide.',
    others: 'Tous vos sujets',
    askLink: 'Changer ou arrêter vos messages',
    askLinkText: 'Donnez votre adresse. Nous envoyons un lien vers la page où vous décidez.',
    email: 'Votre adresse e-mail',
    sendLink: 'Envoyer le lien',
    linkSent: 'Regardez vos messages.',
    linkSentText:
      'Si nous connaissons cette adresse, un message avec le lien est en route. Un par heure au plus.',
    linkSubject: 'Vos messages de {sender}',
    linkMail:
      'Ici vous décidez quels messages vous recevez de {sender} :\n{link}\n\nVous avez demandé ce lien. Sinon, ne faites rien.\n',
  },
};

/** Those that these pages speak. */
export const PAGE_LOCALES: readonly string[] = Object.keys(WORDS);

export function subscriberWordsIn(locale: string): {
  readonly locale: string;
  readonly words: SubscriberWords;
} {
  const chosen = chooseLocale(locale, Object.keys(WORDS), 'en') ?? 'en';
  return { locale: chosen, words: WORDS[chosen] as SubscriberWords };
}

/** Which of them a browser asks for; English if none. */
export function localeAskedFor(acceptLanguage: string | undefined): string {
  const tags = (acceptLanguage ?? '').slice(0, 200).split(',');
  for (const tag of tags) {
    const chosen = chooseLocale(tag.split(';')[0]?.trim() ?? '', Object.keys(WORDS), '');
    if (chosen !== undefined) return chosen;
  }
  return 'en';
}
