import { expect, test } from 'vitest';
import { previewDocument } from './document.js';

const LOGO = { contentId: 'logo@mail', contentType: 'image/png', contentBase64: 'iVBORw0KGgo=' };
const DATA = 'data:image/png;base64,iVBORw0KGgo=';
const bodyOf = (html: string, images = [LOGO]): string =>
  previewDocument(html, images).replace(/^<!doctype html><base target="_blank">/, '');

test('a mail stays as it is, behind a base that makes its links open nowhere', () => {
  const html = '<!DOCTYPE html><html lang="de"><body style="color: red">Grüße</body></html>';
  expect(previewDocument(html, [])).toBe(`<!doctype html><base target="_blank">${html}`);
});

const CONNECTING = /<\/?(?:link|meta|base|i?frame|svg|math)(?:[\s/>]|$)/i;

test.each([
  ['<link rel=preconnect href=https://evil.example>', '<basefont rel=preconnect href=https://evil.example>'],
  [
    '<LINK\nrel="dns-prefetch" href="//evil.example">',
    '<basefont\nrel="dns-prefetch" href="//evil.example">',
  ],
  ['<link/rel=preconnect>', '<basefont/rel=preconnect>'],
  [
    '<mEtA/http-equiv=refresh content=0;https://evil.example>',
    '<basefont/http-equiv=refresh content=0;https://evil.example>',
  ],
  ['<base href="https://evil.example/">', '<basefont href="https://evil.example/">'],
  ['<frame src=//evil.example>', '<basefont src=//evil.example>'],
  ['<iframe src=//evil.example>x</iframe>', '<noembed src=//evil.example>x</noembed>'],
  ['<svg><a href=//evil.example>x</a></svg >', '<template><a href=//evil.example>x</a></template >'],
])('%j becomes what means nothing', (html, harmless) => {
  expect(bodyOf(`<p>before</p>${html}<p>after</p>`)).toBe(`<p>before</p>${harmless}<p>after</p>`);
});

test.each(['<link<link >', '<ifr<iframe>ame>', '<<svg>', '<!--><link --><link>', '<b title="><meta x">'])(
  'nothing comes together again from %j',
  (html) => expect(bodyOf(html)).not.toMatch(CONNECTING),
);

test.each([
  '<a target=_self>',
  '<a TARGET="">',
  '<a href="x"target>',
  '<a/target/>',
  '<area target\n= _top>',
])('no link chooses where it opens: %j', (html) => expect(bodyOf(html)).not.toMatch(/[\s"'/]target[\s=/>]/i));

test('sentences and addresses keep their targets', () => {
  const html = '<a href="https://example.org/?target=1&target">Targets</a>';
  expect(bodyOf(html)).toBe(html);
  expect(bodyOf('<p>Our target is near.</p>').replaceAll('\u2060', '')).toBe('<p>Our target is near.</p>');
});

test('one that the mail breaks off with is no exception', () => {
  expect(bodyOf('<p>before</p><link')).toBe('<p>before</p><basefont');
});

test('tags that only begin alike keep their names', () => {
  const html = '<links><link<p><metadata><basement><a href="x">link</a> &lt;link&gt;';
  expect(bodyOf(html)).toBe(html);
});

test.each([
  ['<img src="cid:logo@mail">', `<img src="${DATA}">`],
  ['<img src=cid:logo@mail>', `<img src=${DATA}>`],
  ["<img src='CID:logo%40mail'>", `<img src='${DATA}'>`],
  ['<td background=" cid:logo@mail">', `<td background=" ${DATA}">`],
  ['<i style="background: url(cid:logo@mail)">', `<i style="background: url(${DATA})">`],
  [
    '<i style="background: url(&quot;cid:logo@mail&quot;)">',
    `<i style="background: url(&quot;${DATA}&quot;)">`,
  ],
])('%s shows the image that came along', (html, shown) => {
  expect(bodyOf(html)).toBe(shown);
});

test('what names no image of the mail is left alone', () => {
  const html = '<img src="cid:other"><img src="cid:%zz"><p>It says cid:logo@mail.</p>';
  expect(bodyOf(html)).toBe(html);
});

test('only images are shown, and their type can bring nothing along', () => {
  const html = '<img src="cid:logo@mail">';
  for (const contentType of ['text/html', 'image/png" onload="x', 'image/svg+xml;x=">', 'application/pdf']) {
    expect(bodyOf(html, [{ ...LOGO, contentType }])).toBe(html);
  }
});

test('an image that is named without end does not fill the memory', () => {
  const large = { ...LOGO, contentBase64: 'A'.repeat(1024 * 1024) };
  const document = previewDocument('<img src="cid:logo@mail">'.repeat(50_000), [large]);
  expect(document.match(/src="data:/g)).toHaveLength(24);
  expect(document.length).toBeLessThan(32 * 1024 * 1024);
});
