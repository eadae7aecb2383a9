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

test.each([
  '<link rel=preconnect href=https://evil.example>',
  '<LINK\nrel="dns-prefetch" href="//evil.example">',
  '<link/rel=preconnect/href=https://evil.example>',
  '<meta http-equiv="refresh" content="0; url=https://evil.example">',
  '<mEtA/http-equiv=refresh content=0;https://evil.example>',
  '<base href="https://evil.example/">',
])('%s becomes a tag that means nothing', (tag) => {
  const body = bodyOf(`<p>before</p>${tag}<p>after</p>${tag}`);
  expect(body).not.toMatch(/<(?:link|meta|base)(?:[\s/>]|$)/i);
  expect(body.match(/<basefont/g)).toHaveLength(2);
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
