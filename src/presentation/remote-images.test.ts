import { expect, test } from 'vitest';
import { expectCost } from '../../test/cost.js';
import { countRemoteImages } from './remote-images.js';

test.each([
  [0, undefined],
  [0, null],
  [0, '<p>https://example.org/a.png <a href="https://example.org/">a link</a></p>'],
  [0, '<img src="cid:logo"><img src="data:image/png;base64,AAAA"><img src="/local.png">'],
  [1, '<img src="https://example.org/a.png">'],
  [1, '<IMG SRC = https://example.org/a.png>'],
  [1, "<img src='//example.org/a.png'>"],
  [1, '<img src="http://example.org/a.png"><img src="http://example.org/a.png">'],
  [2, '<img src="http://example.org/1.gif"><td background="http://example.org/2.gif">'],
  [1, '<style>@import "https://example.org/a.css";</style>'],
  [1, '<style>@import url(https://example.org/a.css);</style>'],
  [1, '<p style="background: url(&quot;https://example.org/a.png&quot;)">'],
  [1, '<video poster="https://example.org/a.png">'],
])('%i in %s', (count, html) => {
  expect(countRemoteImages(html)).toBe(count);
});

test.each(['src=', 'url(', 'src', 'src="', '@import', '//', 'src=&quot;'])(
  'a mail that is nothing but "%s" and blanks is read at once',
  (word) => {
    const read = () => {
      expect(countRemoteImages(`${word}${' '.repeat(40)}`.repeat(50_000))).toBe(0);
      expect(countRemoteImages(`${word}${' '.repeat(2_000_000)}`)).toBe(0);
    };
    expectCost(read, 2_000);
  },
);
