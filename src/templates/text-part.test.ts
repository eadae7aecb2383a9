import { describe, expect, test } from 'vitest';
import { piecesOf } from './pieces.js';
import { textPartOf } from './text-part.js';

describe('the plain text of an html', () => {
  test.each([
    ['<p>One</p><p>two<br>three</p>', 'One\n\ntwo\nthree'],
    ['<p>J&uuml;rgen &amp; S&oslash;n &lt;3</p>', 'Jürgen & Søn <3'],
    ['<h1>Title</h1>body', 'Title\n\nbody'],
    ['<a href="{{ url }}">Stop</a>', 'Stop ({{ url }})'],
    ['<a href="https://x.org">https://x.org</a>', 'https://x.org'],
    ['<img src="a.png" alt="logo">text', 'text'],
    ['<table><tr><td>a</td><td>b</td></tr></table>', 'a\nb'],
    ['<ul>{% for x in y %}<li>{{ x }}</li>{% endfor %}</ul>', '{% for x in y %}\n- {{ x }}\n{% endfor %}'],
    ['{{ a | replace: "<b>", "}}" }}', '{{ a | replace: "<b>", "}}" }}'],
    ['{% if a < b %}x{% endif %}', '{% if a < b %}x{% endif %}'],
    ['{% raw %}{{ <b> }}{% endraw %}', '{% raw %}{{ <b> }}{% endraw %}'],
    [
      '{% assign a = 1 %}<!doctype html><html><head><title>{{ t }}</title></head><body>x</body></html>',
      '{% assign a = 1 %}x',
    ],
    ['<style>p { color: {{ c }} } {% if d %}</style>x<!-- {% endif %} {{ e }} -->', '{% if d %}x{% endif %}'],
    ['a \ue0001\ue001 b', 'a 1 b'],
    ['', ''],
  ])('%s', (html, text) => {
    expect(textPartOf(html)).toBe(text);
  });

  test('is made of anything', () => {
    for (const html of [
      '<div>'.repeat(20_000),
      '<!--'.repeat(20_000),
      '{{'.repeat(20_000),
      '<a href="'.repeat(9_999),
    ])
      expect(typeof textPartOf(html)).toBe('string');
  });
});

test('pieces of a template, together, are the template', () => {
  for (const template of [
    'a{{ b }}c{% d %}',
    '{{ "}}" }}x',
    '{% raw %}{{{% endraw %}',
    '{{ a',
    '{% raw %}',
    '{ {',
    '',
  ])
    expect(
      piecesOf(template)
        .map(({ text }) => text)
        .join(''),
    ).toBe(template);
});
