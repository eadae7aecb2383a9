import { describe, expect, test } from 'vitest';
import { checkTemplate } from './check.js';
import { FILTERS, OWN_FILTERS, TAGS } from './language.js';

const faultsOf = (text: string) =>
  checkTemplate({ text }).faults.map(({ line, message, suggestion }) => ({ line, message, suggestion }));

describe('a template that is saved', () => {
  test.each([
    ['a filter that is spelled wrong', 'a\n{{ name | upcas }}', 2, 'there is no filter “upcas”', 'upcase'],
    ['a filter that is not offered', '{{ name | raw }}', 1, 'there is no filter “raw”', null],
    [
      'a filter that takes an expression',
      '{{ a | where_exp: "i", "1" }}',
      1,
      'there is no filter “where_exp”',
      null,
    ],
    ['a tag that reads files', '{% include "x" %}', 1, 'there is no tag “include”', null],
    ['a tag that is spelled wrong', '{% fro x in y %}', 1, 'there is no tag “fro”', 'for'],
    ['an end without a beginning', 'a\n\n{% endif %}', 3, '{% endif %} closes nothing that is open', null],
    ['a condition that is not closed', '{% if a %}b', 1, '{% if a %} is not closed', null],
    ['an output that is not closed', 'a {{ b', 1, '"{{ b" is not closed', null],
    ['too much of it', 'x'.repeat(200_001), 1, 'the template is longer than 200,000 letters', null],
  ])('is refused for %s', (_what, text, line, message, suggestion) => {
    expect(faultsOf(text)).toEqual([{ line, message, suggestion }]);
  });

  test('is told of every part that is at fault', () => {
    const { faults } = checkTemplate({ subject: '{{ a | x }}', html: '<p>{{ b', text: '{% y %}' });
    expect(faults.map(({ part }) => part)).toEqual(['subject', 'html', 'text']);
  });

  test('is refused if no plain text can be made of it', () => {
    const { faults } = checkTemplate({ html: '<p {% if a %}class="b">{{ c }}</p>{% endif %}' });
    expect(faults).toMatchObject([{ part: 'text' }]);
  });

  test('tells what it reads, where, and what it can not do without', () => {
    const { variables } = checkTemplate({
      subject: 'Hi {{ contact.name }}',
      html: `<p>{{ contact.name }} {{ contact.attributes.company | upcase }}
        {{ contact.attributes.city | default: "town" }} {{ contact.attributes.at | date }}
        {% if contact.attributes.job %}{{ contact.attributes.job }}{% endif %}
        {% assign own = 1 %}{{ own }}{% for tag in contact.attributes.tags %}{{ tag }}{% endfor %}</p>`,
    });
    expect(variables).toEqual([
      { name: 'contact.name', part: 'subject', line: 1, required: true },
      { name: 'contact.attributes.company', part: 'html', line: 1, required: true },
      { name: 'contact.attributes.city', part: 'html', line: 2, required: false },
      { name: 'contact.attributes.at', part: 'html', line: 2, required: true },
      { name: 'contact.attributes.job', part: 'html', line: 3, required: false },
      { name: 'contact.attributes.tags', part: 'html', line: 4, required: true },
    ]);
  });

  test('may read names that mean something to the program', () => {
    const names = checkTemplate({ text: '{{ __proto__.x }}{{ a.constructor }}{{ toString }}' }).variables;
    expect(names.map(({ name }) => name)).toEqual(['__proto__.x', 'a.constructor', 'toString']);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test('finds everything that is offered, and nothing else', () => {
    for (const filter of [...FILTERS, ...OWN_FILTERS]) expect(faultsOf(`{{ a | ${filter}: 1 }}`)).toEqual([]);
    for (const filter of [
      'json',
      'inspect',
      'strip_html',
      'sample',
      'group_by_exp',
      'base64_decode',
      'to_integer',
    ])
      expect(faultsOf(`{{ a | ${filter} }}`)).toHaveLength(1);
    for (const tag of ['render', 'layout', 'block', 'tablerow', 'liquid', 'increment', 'decrement'])
      expect(faultsOf(`{% ${tag} a %}`)).toHaveLength(1);
    expect(TAGS).toContain('for');
  });
});
