import { chooseLocale } from '../../core/locale.js';
import type { SubscriptionStatus } from '../../core/subscription.js';

/** What the pages for readers of notifications say. `{sender}`, `{address}` and `{topic}` are put in. */
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
  readonly stillComes: string;
  readonly askConfirm: string;
  readonly confirm: string;
  readonly confirmed: string;
  readonly confirmedText: string;
  readonly notAsked: string;
  readonly notAskedText: string;
  readonly title: string;
  readonly saved: string;
  readonly status: Readonly<Record<SubscriptionStatus, string>>;
  readonly again: string;
  readonly askedAgain: string;
  readonly others: string;
  readonly tellMe: string;
  readonly between: string;
  readonly and: string;
  /** With `{zone}`. */
  readonly zoneNote: string;
  readonly takeABreak: string;
  readonly noBreak: string;
  /** With `{time}`. */
  readonly breakUntil: string;
  readonly aDay: string;
  readonly aWeek: string;
  readonly aMonth: string;
  readonly save: string;
  readonly what: string;
  readonly from: string;
  readonly to: string;
  readonly badWindow: string;
  readonly which: string;
  readonly whichText: string;
  readonly most: string;
  /** With `{n}` and `{max}`. */
  readonly used: string;
  readonly badLimit: string;
  readonly askLink: string;
  /** Where the sender is known. */
  readonly askLinkOf: string;
  readonly askLinkText: string;
  readonly email: string;
  readonly sendLink: string;
  readonly sameForAll: string;
  readonly gone: string;
  readonly goneText: string;
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
    manage: 'Fewer mails instead: choose topics, hours or a break',
    stillComes: 'What you have booked or asked for yourself still comes.',
    askConfirm: 'Be told about {topic}?',
    confirm: 'Yes, tell me',
    confirmed: 'Confirmed. You will be told about {topic}.',
    confirmedText: 'Mails go to {address}. Each of them has a link to change or end it.',
    notAsked: 'You have asked for nothing?',
    notAskedText: 'Then do nothing. Without your yes nothing is sent, and after a week this link is void.',
    title: 'Your mails from {sender}',
    saved: 'Saved.',
    status: {
      pending: 'Waits for your confirmation: look for our mail.',
      active: 'You are told of what is new.',
      paused: 'Paused: nothing is sent.',
      suppressed: 'Nothing is sent to this address.',
      unsubscribed: 'Stopped: nothing is sent.',
    },
    again: 'Be told again',
    askedAgain: 'We have sent a mail to {address}. You are told again once you confirm it there.',
    others: 'See your other topics',
    tellMe: 'Tell me about',
    between: 'Between',
    and: 'and',
    zoneNote: 'Time in {zone}, for all topics above. Empty: at any time.',
    takeABreak: 'Take a break',
    noBreak: 'No break',
    breakUntil: 'Until {time}',
    aDay: 'For a day',
    aWeek: 'For a week',
    aMonth: 'For a month',
    save: 'Save',
    what: 'More about {topic}',
    from: 'From',
    to: 'Until',
    badWindow: 'These times are none: give both, and not the same one twice.',
    which: 'Only when it is',
    whichText: 'Nothing ticked: of everything.',
    most: 'This many mails at most; empty: no limit',
    used: '{n} of {max} mails sent.',
    badLimit: 'That is no number of mails: give a whole one from 1 on, or leave it empty.',
    askLink: 'Change or end your mails',
    askLinkOf: 'See what you get from {sender}',
    askLinkText: 'Give your address. We send a mail with a link to the page where you decide.',
    email: 'Your email address',
    sendLink: 'Send me the link',
    sameForAll: 'For safety this page says the same whether we know the address or not.',
    gone: 'This link is too old. Ask for a new one.',
    goneText: 'Or take the link in our newest mail to you.',
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
    manage: 'Lieber weniger Mails: Themen, Uhrzeiten oder eine Pause wählen',
    stillComes: 'Was Sie selbst gebucht oder angefragt haben, kommt weiterhin.',
    askConfirm: 'Mails über {topic} bekommen?',
    confirm: 'Ja, gern',
    confirmed: 'Bestätigt. Sie hören von {topic}.',
    confirmedText: 'Mails gehen an {address}. Jede hat einen Link zum Ändern oder Beenden.',
    notAsked: 'Sie haben nichts bestellt?',
    notAskedText:
      'Dann tun Sie nichts. Ohne Ihr Ja wird nichts verschickt, und nach einer Woche gilt dieser Link nicht mehr.',
    title: 'Ihre Mails von {sender}',
    saved: 'Gespeichert.',
    status: {
      pending: 'Wartet auf Ihre Bestätigung: sehen Sie nach unserer Mail.',
      active: 'Sie hören, was es Neues gibt.',
      paused: 'Pause: es wird nichts geschickt.',
      suppressed: 'An diese Adresse wird nichts geschickt.',
      unsubscribed: 'Abbestellt: es wird nichts geschickt.',
    },
    again: 'Wieder bekommen',
    askedAgain: 'Wir haben eine Mail an {address} geschickt. Es geht weiter, sobald Sie dort bestätigen.',
    others: 'Ihre anderen Themen',
    tellMe: 'Ich möchte hören von',
    between: 'Zwischen',
    and: 'und',
    zoneNote: 'Zeit in {zone}, für alle Themen oben. Leer: jederzeit.',
    takeABreak: 'Eine Pause machen',
    noBreak: 'Keine Pause',
    breakUntil: 'Bis {time}',
    aDay: 'Einen Tag',
    aWeek: 'Eine Woche',
    aMonth: 'Einen Monat',
    save: 'Speichern',
    what: 'Mehr zu {topic}',
    from: 'Von',
    to: 'Bis',
    badWindow: 'Das sind keine Zeiten: geben Sie beide an, und nicht zweimal dieselbe.',
    which: 'Nur bei',
    whichText: 'Nichts angekreuzt: bei allem.',
    most: 'Höchstens so viele Mails; leer: ohne Grenze',
    used: '{n} von {max} Mails geschickt.',
    badLimit: 'Das ist keine Anzahl: geben Sie eine ganze Zahl ab 1 an, oder lassen Sie es leer.',
    askLink: 'Ihre Mails ändern oder beenden',
    askLinkOf: 'Was Sie von {sender} bekommen',
    askLinkText: 'Geben Sie Ihre Adresse an. Wir schicken einen Link zu der Seite, auf der Sie entscheiden.',
    email: 'Ihre E-Mail-Adresse',
    sendLink: 'Link schicken',
    sameForAll: 'Zur Sicherheit sagt diese Seite dasselbe, ob wir die Adresse kennen oder nicht.',
    gone: 'Dieser Link ist zu alt. Lassen Sie sich einen neuen schicken.',
    goneText: 'Oder nehmen Sie den Link aus unserer neuesten Mail.',
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
    manage: 'Plutôt moins de messages : choisir sujets, heures ou une pause',
    stillComes: 'Ce que vous avez réservé ou demandé vous-même continue d’arriver.',
    askConfirm: 'Recevoir des messages sur {topic} ?',
    confirm: 'Oui, prévenez-moi',
    confirmed: 'C’est confirmé. Vous serez prévenu pour {topic}.',
    confirmedText: 'Les messages vont à {address}. Chacun a un lien pour changer ou arrêter.',
    notAsked: 'Vous n’avez rien demandé ?',
    notAskedText:
      'Alors ne faites rien. Sans votre accord, rien n’est envoyé ; dans une semaine ce lien ne vaudra plus.',
    title: 'Vos messages de {sender}',
    saved: 'C’est enregistré.',
    status: {
      pending: 'En attente de votre confirmation : cherchez notre message.',
      active: 'Vous êtes prévenu de ce qui est nouveau.',
      paused: 'En pause : rien n’est envoyé.',
      suppressed: 'Rien n’est envoyé à cette adresse.',
      unsubscribed: 'Arrêté : rien n’est envoyé.',
    },
    again: 'Être prévenu de nouveau',
    askedAgain: 'Nous avons écrit à {address}. Cela reprend dès que vous y confirmez.',
    others: 'Voir vos autres sujets',
    tellMe: 'Prévenez-moi pour',
    between: 'Entre',
    and: 'et',
    zoneNote: 'Heure de {zone}, pour tous les sujets ci-dessus. Vide : à toute heure.',
    takeABreak: 'Faire une pause',
    noBreak: 'Pas de pause',
    breakUntil: 'Jusqu’à {time}',
    aDay: 'Un jour',
    aWeek: 'Une semaine',
    aMonth: 'Un mois',
    save: 'Enregistrer',
    what: 'Plus sur {topic}',
    from: 'De',
    to: 'À',
    badWindow: 'Ce ne sont pas des heures : donnez les deux, et pas deux fois la même.',
    which: 'Seulement pour',
    whichText: 'Rien de coché : pour tout.',
    most: 'Au plus tant de messages ; vide : sans limite',
    used: '{n} messages sur {max} envoyés.',
    badLimit: 'Ce n’est pas un nombre : donnez un entier à partir de 1, ou laissez vide.',
    askLink: 'Changer ou arrêter vos messages',
    askLinkOf: 'Ce que {sender} vous envoie',
    askLinkText: 'Donnez votre adresse. Nous envoyons un lien vers la page où vous décidez.',
    email: 'Votre adresse e-mail',
    sendLink: 'Envoyer le lien',
    sameForAll: 'Par sécurité, cette page dit la même chose, que nous connaissions l’adresse ou non.',
    gone: 'Ce lien est trop ancien. Demandez-en un nouveau.',
    goneText: 'Ou prenez le lien de notre message le plus récent.',
    linkSent: 'Regardez vos messages.',
    linkSentText:
      'Si nous connaissons cette adresse, un message avec le lien est en route. Un par heure au plus.',
    linkSubject: 'Vos messages de {sender}',
    linkMail:
      'Ici vous décidez quels messages vous recevez de {sender} :\n{link}\n\nVous avez demandé ce lien. Sinon, ne faites rien.\n',
  },
  ar: {
    askStop: 'لا مزيد من الرسائل عن {topic}؟',
    goesTo: 'تصل إلى {address}.',
    stop: 'أوقف هذا الموضوع',
    stopAll: 'أوقف كل ما يصلني من {sender}',
    nothingYet: 'لم يتغيّر شيء بعد. ما يُحتسب هو ضغطك على الزر، لا فتح هذه الصفحة.',
    stopped: 'تم الإيقاف. لا مزيد من الرسائل عن {topic}.',
    stoppedAll: 'تم الإيقاف. لن يصلك شيء آخر من {sender}.',
    stoppedByOthers: 'لا يراسل {sender} هذا العنوان.',
    holds: 'يسري ذلك من الآن على {address}. قد تصل رسالة واحدة كانت في طريقها.',
    mistake: 'ضغطت بالخطأ؟',
    undo: 'تراجع',
    manage: 'رسائل أقل بدلاً من ذلك: اختر المواضيع أو الأوقات أو استراحة',
    stillComes: 'ما حجزته أو طلبته بنفسك يصلك كما كان.',
    askConfirm: 'هل نخبرك عن {topic}؟',
    confirm: 'نعم، أخبروني',
    confirmed: 'تم التأكيد. سنخبرك عن {topic}.',
    confirmedText: 'تصل الرسائل إلى {address}. في كل منها رابط للتغيير أو الإيقاف.',
    notAsked: 'لم تطلب شيئاً؟',
    notAskedText: 'إذن لا تفعل شيئاً. من دون موافقتك لا يُرسل شيء، وبعد أسبوع يبطل هذا الرابط.',
    title: 'رسائلك من {sender}',
    saved: 'تم الحفظ.',
    status: {
      pending: 'بانتظار تأكيدك: ابحث عن رسالتنا.',
      active: 'تُخبَر بكل جديد.',
      paused: 'متوقف مؤقتاً: لا يُرسل شيء.',
      suppressed: 'لا يُرسل شيء إلى هذا العنوان.',
      unsubscribed: 'متوقف: لا يُرسل شيء.',
    },
    again: 'أخبروني من جديد',
    askedAgain: 'أرسلنا رسالة إلى {address}. سنخبرك من جديد ما إن تؤكد ذلك فيها.',
    others: 'مواضيعك الأخرى',
    tellMe: 'أخبروني عن',
    between: 'بين',
    and: 'و',
    zoneNote: 'بتوقيت {zone}، لكل المواضيع أعلاه. فارغ: في أي وقت.',
    takeABreak: 'استراحة',
    noBreak: 'من دون استراحة',
    breakUntil: 'حتى {time}',
    aDay: 'ليوم',
    aWeek: 'لأسبوع',
    aMonth: 'لشهر',
    save: 'حفظ',
    what: 'المزيد عن {topic}',
    from: 'من',
    to: 'إلى',
    badWindow: 'هذان الوقتان لا يصلحان: أدخل كليهما، ومن دون تكرار الوقت نفسه.',
    which: 'فقط عندما تكون الحالة',
    whichText: 'من دون تحديد: عن كل شيء.',
    most: 'الحد الأقصى لعدد الرسائل؛ فارغ: من دون حد',
    used: 'أُرسلت {n} من {max}.',
    badLimit: 'هذا ليس عدد رسائل: أدخل عدداً صحيحاً من 1 فصاعداً، أو اتركه فارغاً.',
    askLink: 'غيّر رسائلك أو أوقفها',
    askLinkOf: 'ما يصلك من {sender}',
    askLinkText: 'أدخل عنوانك. نرسل إليك رابطاً إلى الصفحة التي تقرر فيها.',
    email: 'بريدك الإلكتروني',
    sendLink: 'أرسلوا لي الرابط',
    sameForAll: 'حرصاً على الأمان تقول هذه الصفحة الشيء نفسه، سواء عرفنا العنوان أم لا.',
    gone: 'هذا الرابط قديم. اطلب رابطاً جديداً.',
    goneText: 'أو خذ الرابط من أحدث رسالة وصلتك منا.',
    linkSent: 'تفقّد بريدك.',
    linkSentText:
      'إذا كنا نعرف هذا العنوان فهناك رسالة بالرابط في طريقها إليه. رسالة واحدة في الساعة على الأكثر.',
    linkSubject: 'رسائلك من {sender}',
    linkMail:
      'هنا تقرر أي الرسائل تصلك من {sender}:\n{link}\n\nلقد طلبت هذا الرابط. إن لم تطلبه فلا تفعل شيئاً.\n',
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
