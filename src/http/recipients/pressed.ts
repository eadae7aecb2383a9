/** What a press says: of the page's own buttons, or of a mail program that never shows the page (RFC 8058). */
export type Pressed = 'one-click' | 'campaigns' | 'everything' | 'undo';

const FIELD = /name="([\w-]{1,40})"\r?\n\r?\n([\w-]{0,40})\r?\n/g;

/** Of a form in either of its two encodings. Whatever else is posted means the one thing that this address is for. */
export function pressedIn(body: unknown, contentType = ''): Pressed {
  const text = typeof body === 'string' ? body : '';
  const fields = contentType.startsWith('multipart/')
    ? new Map(Array.from(text.matchAll(FIELD), ([, name = '', value = '']) => [name, value]))
    : new Map(new URLSearchParams(text));
  if (fields.get('List-Unsubscribe') === 'One-Click') return 'one-click';
  if (fields.has('undo')) return 'undo';
  return fields.get('stop') === 'everything' ? 'everything' : 'campaigns';
}
