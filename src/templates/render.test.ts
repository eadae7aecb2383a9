import { describe, expect, test } from 'vitest';
import { parseTemplate } from './parsed.js';
import { renderWhole } from './render.js';
import { isFault, type Rendered, type Scope, type TemplateSource } from './source.js';

function render(source: TemplateSource, own: Scope = {}, locale = 'en', timezone = 'UTC'): Rendered {
  const rendered = renderWhole(parseTemplate(source), { variables: {}, locale, timezone }, own);
  // The one limit that depends on the machine.
  const isStarved = isFault(rendered) && rendered.fault.code === 'template_too_slow';
  return isStarved ? render(source, own, locale, timezone) : rendered;
}

describe('a mail', () => {
  test('is escaped in its html, and nowhere else', () => {
    const part = '{{ name }}';
    expect(render({ subject: part, html: `<p>${part}</p>`, text: part }, { name: '<b>&"' })).toEqual({
      subject: '<b>&"',
      html: '<p>&lt;b&gt;&amp;&#34;</p>',
      text: '<b>&"',
    });
  });

  test('gets a plain text of its html, with what is put in', () => {
    const html =
      '<h1>Hello {{ name }}</h1>{% if ok %}<p>Yes &amp; no</p>{% endif %}<a href="{{ url }}">Stop</a>';
    expect(render({ html }, { name: '<Ada>', ok: false, url: 'https://x.org/u' })).toMatchObject({
      text: 'Hello <Ada>\n\nStop (https://x.org/u)',
    });
  });

  test('is not made without what it needs', () => {
    expect(render({ text: 'a\n{{ contact.company }}' }, { contact: {} })).toEqual({
      fault: {
        code: 'template_missing_variable',
        message: 'contact.company is not known of this recipient, and the text needs it',
        variable: 'contact.company',
        part: 'text',
        line: 2,
      },
    });
    expect(render({ text: '{{ a | default: "b" }}{% if a %}c{% endif %}' })).toEqual({ text: 'b' });
  });

  test.each(['a\nb', 'a\rb', 'a\u0007b', 'a\u0000b', '\ud800'])('has no subject such as %j', (name) => {
    expect(render({ subject: 'Hi {{ name }}', text: '' }, { name })).toMatchObject({
      fault: { code: 'template_bad_subject', part: 'subject' },
    });
  });

  test('has a subject of one line, however it was written', () => {
    expect(render({ subject: '\n {% if true %} Hi {% endif %}\n' })).toEqual({ subject: 'Hi' });
    expect(render({ subject: 'x'.repeat(999) })).toMatchObject({ fault: { code: 'template_bad_subject' } });
  });

  test.each([
    ['{{ a.constructor }}', 'a.constructor'],
    ['{{ a.__proto__ }}', 'a.__proto__'],
    ['{{ constructor }}', 'constructor'],
    ['{{ a["constructor"]["constructor"] }}', 'a.constructor'],
    ['{{ list.map }}', 'list.map'],
  ])('reads nothing of the program: %s', (text, variable) => {
    expect(render({ text }, { a: {}, list: [] })).toMatchObject({ fault: { variable } });
  });

  test('is not larger than it may be', () => {
    const text = '{% for i in (1..2000) %}{{ big }}{% endfor %}';
    expect(render({ text }, { big: 'x'.repeat(1_000) })).toMatchObject({
      fault: { code: 'template_output_too_large', part: 'text' },
    });
  });
});

describe('dates and numbers', () => {
  const at = '2026-11-16T23:30:00Z';
  const said = (text: string, locale?: string, zone?: string) => render({ text }, { at }, locale, zone);

  test('are said as where the mail is read', () => {
    expect(said('{{ at | date: "long" }}', 'en', 'America/New_York')).toEqual({ text: 'November 16, 2026' });
    expect(said('{{ at | date: "long" }}', 'fr', 'Asia/Tokyo')).toEqual({ text: '17 novembre 2026' });
    expect(said('{{ at | time }}', 'de', 'Europe/Berlin')).toEqual({ text: '00:30' });
    expect(said('{{ at | datetime: "short", "UTC" }}', 'de', 'Asia/Tokyo')).toEqual({
      text: '16.11.26, 23:30',
    });
    expect(said('{{ "1234567.891" | number }} {{ 3 | number: 2 }}', 'de')).toEqual({
      text: '1.234.567,891 3,00',
    });
  });

  test('are the same day everywhere, if it is a day', () => {
    for (const zone of ['America/Los_Angeles', 'Pacific/Auckland'])
      expect(said('{{ "2026-11-16" | date: "short" }}', 'de', zone)).toEqual({ text: '16.11.26' });
  });

  test.each([
    ['{{ "now" | date }}', '“now” is not an instant'],
    ['{{ "2026-11-16T10:00" | date }}', 'is not an instant'],
    ['{{ at | date: "%Y" }}', '“%Y” is not short, medium, long or full'],
    ['{{ at | date: "short", "Mars/Olympus" }}', '“Mars/Olympus” is not a time zone'],
    ['{{ "2026-11-16" | time }}', 'is a day and has no time'],
    ['{{ "x" | number }}', '“x” is not a number'],
    ['{{ 1 | number: 99 }}', '“99” is not a number of decimals'],
  ])('are not guessed: %s', (text, words) => {
    expect(said(text)).toMatchObject({
      fault: { code: 'template_fault', message: expect.stringContaining(words) },
    });
  });
});
