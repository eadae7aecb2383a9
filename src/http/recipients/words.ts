import { chooseLocale } from '../../core/locale.js';

/** What the pages for readers of mail say. `{sender}` and `{address}` are put in. */
export interface Words {
  readonly ask: string;
  readonly goesTo: string;
  readonly stop: string;
  readonly stopAll: string;
  readonly stillComes: string;
  readonly nothingYet: string;
  readonly stopped: string;
  readonly stoppedAll: string;
  readonly holds: string;
  readonly mistake: string;
  readonly undo: string;
  readonly undone: string;
  readonly afterUndo: string;
  readonly sample: string;
  readonly sampleText: string;
  readonly later: string;
  readonly laterText: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    ask: 'Stop mails from {sender}?',
    goesTo: 'They go to {address}.',
    stop: 'Stop these mails',
    stopAll: 'Stop everything from {sender}',
    stillComes: 'What you have booked or asked for yourself still comes.',
    nothingYet:
      'Nothing has changed yet. It is your press of a button that counts, not the opening of this page.',
    stopped: 'Stopped. No more of these mails.',
    stoppedAll: 'Stopped. Nothing more from {sender}.',
    holds: 'It holds from now on for {address}. One mail that is already on its way may still come.',
    mistake: 'Pressed by mistake?',
    undo: 'Take it back',
    undone: 'Taken back.',
    afterUndo: 'You may be written to again at {address}. What was stopped does not begin again by itself.',
    sample: 'This was a test.',
    sampleText: 'This link is from a mail that somebody sent to look at it. It stops nothing.',
    later: 'Not possible at this moment.',
    laterText: 'Nothing has changed. Try again in a minute.',
  },
  de: {
    ask: 'Keine Mails mehr von {sender}?',
    goesTo: 'Sie gehen an {address}.',
    stop: 'Diese Mails abbestellen',
    stopAll: 'Alles von {sender} abbestellen',
    stillComes: 'Was Sie selbst gebucht oder angefragt haben, kommt weiterhin.',
    nothingYet:
      'Noch hat sich nichts geändert. Es zählt der Druck auf einen Knopf, nicht das Öffnen dieser Seite.',
    stopped: 'Abbestellt. Keine dieser Mails mehr.',
    stoppedAll: 'Abbestellt. Nichts mehr von {sender}.',
    holds: 'Das gilt ab jetzt für {address}. Eine Mail, die schon unterwegs ist, kann noch kommen.',
    mistake: 'Aus Versehen gedrückt?',
    undo: 'Zurücknehmen',
    undone: 'Zurückgenommen.',
    afterUndo:
      'An {address} darf wieder geschrieben werden. Was beendet wurde, beginnt nicht von selbst neu.',
    sample: 'Das war ein Test.',
    sampleText:
      'Dieser Link stammt aus einer Mail, die jemand zur Ansicht verschickt hat. Er bestellt nichts ab.',
    later: 'Im Augenblick nicht möglich.',
    laterText: 'Es hat sich nichts geändert. Versuchen Sie es in einer Minute noch einmal.',
  },
  fr: {
    ask: 'Ne plus recevoir les messages de {sender} ?',
    goesTo: 'Ils sont envoyés à {address}.',
    stop: 'Arrêter ces messages',
    stopAll: 'Tout arrêter de {sender}',
    stillComes: 'Ce que vous avez réservé ou demandé vous-même continue d’arriver.',
    nothingYet: 'Rien n’a encore changé. C’est le bouton qui compte, pas l’ouverture de cette page.',
    stopped: 'C’est arrêté. Plus aucun de ces messages.',
    stoppedAll: 'C’est arrêté. Plus rien de {sender}.',
    holds: 'Dès maintenant pour {address}. Un message déjà en route peut encore arriver.',
    mistake: 'Un geste par erreur ?',
    undo: 'Revenir en arrière',
    undone: 'C’est annulé.',
    afterUndo: 'On peut de nouveau écrire à {address}. Ce qui a été arrêté ne reprend pas tout seul.',
    sample: 'C’était un essai.',
    sampleText: 'Ce lien vient d’un message envoyé pour être relu. Il n’arrête rien.',
    later: 'Impossible pour le moment.',
    laterText: 'Rien n’a changé. Réessayez dans une minute.',
  },
  ar: {
    ask: 'إيقاف الرسائل من {sender}؟',
    goesTo: 'تصل إلى {address}.',
    stop: 'أوقف هذه الرسائل',
    stopAll: 'أوقف كل ما يصلني من {sender}',
    stillComes: 'ما حجزته أو طلبته بنفسك يصلك كما كان.',
    nothingYet: 'لم يتغيّر شيء بعد. ما يُحتسب هو ضغطك على الزر، لا فتح هذه الصفحة.',
    stopped: 'تم الإيقاف. لا مزيد من هذه الرسائل.',
    stoppedAll: 'تم الإيقاف. لن يصلك شيء آخر من {sender}.',
    holds: 'يسري ذلك من الآن على {address}. قد تصل رسالة واحدة كانت في طريقها.',
    mistake: 'ضغطت بالخطأ؟',
    undo: 'تراجع',
    undone: 'تم التراجع.',
    afterUndo: 'يمكن مراسلتك من جديد على {address}. ما أُوقف لا يبدأ من جديد من تلقاء نفسه.',
    sample: 'كانت هذه تجربة.',
    sampleText: 'هذا الرابط من رسالة أُرسلت للاطلاع عليها. لا يوقف شيئاً.',
    later: 'غير ممكن الآن.',
    laterText: 'لم يتغيّر شيء. حاول بعد دقيقة.',
  },
};

/** In the language of the sender's mails, as far as it is spoken here. */
export function wordsIn(locale: string): { readonly locale: string; readonly words: Words } {
  const chosen = chooseLocale(locale, Object.keys(WORDS), 'en') ?? 'en';
  return { locale: chosen, words: WORDS[chosen] as Words };
}
