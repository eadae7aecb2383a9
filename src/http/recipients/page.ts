import { createHash } from 'node:crypto';
import { directionOf } from '../../core/locale.js';
import type { WorkspaceProfile } from '../../core/delivery-settings.js';
import type { Reader } from '../../links/unsubscriptions.js';
import { wordsIn, type Words } from './words.js';

/**
 * Pages for the readers of mail: for one thumb, in light and dark as their system has it, and without anything that would
 * have to be fetched or allowed. They speak for the sender, not for us.
 */
const STYLE = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:#eef1f4;color:#16212c;font:17px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:30rem;min-height:100vh;margin:0 auto;padding:24px 20px;background:#fff;overflow-wrap:anywhere}
header,footer{padding:0 0 16px;border-bottom:1px solid #d5dce2;font-weight:600}
footer{margin-top:28px;padding:16px 0 0;border:0;border-top:1px solid #d5dce2;font-weight:400;white-space:pre-line}
h1{margin:20px 0 10px;font-size:25px;line-height:1.2}
h2{margin:28px 0 10px;padding-top:20px;border-top:1px solid #d5dce2;font-size:18px}
p{margin:0 0 14px}
small,footer{color:#4b5a68;font-size:15px}
button{display:block;width:100%;min-height:50px;margin:0 0 12px;padding:10px 16px;border:1px solid #66758a;border-radius:6px;background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}
button.first{border-color:#16212c;background:#16212c;color:#fff}
label{display:block;margin:0 0 14px;font-weight:600}
input,select{display:block;width:100%;min-height:50px;margin:6px 0 0;padding:10px 12px;border:1px solid #66758a;border-radius:6px;background:transparent;color:inherit;font:inherit;font-weight:400}
.tick{display:flex;gap:12px;align-items:center;min-height:44px;margin:0;font-weight:400}
.tick span{min-width:0}
.tick small{display:block}
.row{display:flex;flex-wrap:wrap;gap:10px;align-items:center}
.row input{flex:1 1 8rem;min-width:0;margin:0}
details{margin:0 0 18px}
summary{min-height:44px;padding:10px 0;color:#0b5cad;text-decoration:underline;cursor:pointer}
.tick input{flex:none;width:24px;min-height:24px;height:24px;margin:0}
fieldset{min-width:0;margin:0 0 14px;padding:0;border:0}
legend{padding:0 0 4px;font-weight:600}
ul{margin:0 0 14px;padding:0;list-style:none}
li{padding:6px 0;border-bottom:1px solid #d5dce2}
a{color:#0b5cad}
button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible,a:focus-visible{outline:3px solid #0b62b8;outline-offset:2px}
@media (prefers-color-scheme:dark){body{background:#0c1217;color:#eef1f4}main{background:#151d24}header,footer,h2,li{border-color:#36434f}a,summary{color:#8cc4f5}small,footer{color:#b4c0cb}button,input,select{border-color:#8494a5}button.first{border-color:#eef1f4;background:#eef1f4;color:#16212c}button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible,a:focus-visible{outline-color:#7db9f0}}`;

const HASH = createHash('sha256').update(STYLE).digest('base64');
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The same page for those who only want to see it, in a frame of ours: nothing can be pressed. */
export const FRAMED_POLICY = [
  'sandbox',
  "default-src 'none'",
  `style-src 'sha256-${HASH}'`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Before anything was pressed, after it, or after it was taken back. */
export function readerPage(reader: Reader, profile: WorkspaceProfile, isUndone = false): string {
  const { locale, words } = wordsIn(profile.defaultLocale);
  const say = fill({ sender: profile.name, address: reader.address });
  const body = reader.isSample
    ? told(words.sample, words.sampleText, say)
    : bodyOf(reader, words, say, isUndone);
  return page(locale, profile.name, body, profile.postalAddress ?? '');
}

export function laterPage(): string {
  const { words } = wordsIn('en');
  return page('en', '', told(words.later, words.laterText, escaped), '');
}

export type Say = (text: string) => string;

function bodyOf({ choice, canUndo }: Reader, words: Words, say: Say, isUndone: boolean): string {
  if (choice === 'none' && isUndone) return told(words.undone, words.afterUndo, say);
  const everything = `<button name="stop" value="everything">${say(words.stopAll)}</button>`;
  const still = `<p><small>${say(words.stillComes)}</small></p>`;
  if (choice === 'none') {
    const stop = `<button class="first" name="stop" value="campaigns">${say(words.stop)}</button>`;
    const nothing = `<p><small>${say(words.nothingYet)}</small></p>`;
    return `<h1>${say(words.ask)}</h1><p>${say(words.goesTo)}</p>${form(stop + everything)}${still}${nothing}`;
  }
  const isAll = choice === 'everything';
  const head = told(isAll ? words.stoppedAll : words.stopped, words.holds, say);
  const undo = form(`<button name="undo" value="1">${say(words.undo)}</button>`);
  return `${head}${isAll ? '' : form(everything)}${still}${canUndo ? `<h2>${say(words.mistake)}</h2>${undo}` : ''}`;
}

export const told = (title: string, text: string, say: Say): string =>
  `<h1>${say(title)}</h1><p>${say(text)}</p>`;

/** To its own address. */
export const form = (buttons: string): string => `<form method="post">${buttons}</form>`;

/** A body begins with its heading, whose text is the title as well. */
export const page = (locale: string, sender: string, body: string, address: string): string => {
  const title = body.slice('<h1>'.length, body.indexOf('</h1>')).replace(/<[^<>]*>/g, '');
  const foot = [sender, address].filter((line) => line !== '').map(escaped);
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>${STYLE}</style></head>
<body><main>${sender === '' ? '' : `<header>${escaped(sender)}</header>`}${body}${
    foot.length === 0 ? '' : `<footer>${foot.join('\n')}</footer>`
  }</main></body></html>
`;
};

const fill =
  ({ sender, address }: { readonly sender: string; readonly address: string }): Say =>
  (text) =>
    escaped(text).replace(/\{(sender|address)\}/g, (_, name: string) =>
      name === 'sender' ? isolated(sender) : `<strong dir="ltr">${escaped(address)}</strong>`,
    );

/** Whichever way its letters run, the sentence around it stays. */
export const isolated = (text: string): string => `<bdi>${escaped(text)}</bdi>`;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
