import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frameOf, renderFrame } from './frames.js';
import { parseTemplate } from './parsed.js';
import { renderWhole } from './render.js';
import { isFault, type Scope, type Setting } from './source.js';

const value = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('title', 'n', 'flag', 'event.room', 'event.list', 'locale') },
  { weight: 12, arbitrary: fc.constantFrom('name', 'url', 'contact.first', 'contact.tags', '["name"]') },
  { weight: 1, arbitrary: fc.constantFrom('missing', 'contact.none', 'event[name]', 'contact[title]') },
);
const filter = fc.constantFrom(
  ...['', '', ' | upcase', ' | default: "x"', ' | append: name', ' | prepend: title', ' | size', ' | escape'],
  ...[' | truncate: 5', ' | number', ' | join: name', ' | date: "short"'],
);
const dash = fc.constantFrom('', '', '', '-');
const output = fc
  .tuple(dash, value, filter, dash)
  .map(([a, read, used, b]) => `{{${a} ${read}${used} ${b}}}`);

/** Of everything that the language offers. */
const { body } = fc.letrec<{ body: string; node: string }>((tie) => {
  const within = (open: (read: string) => string, close: string) =>
    fc
      .tuple(value, tie('body'), tie('body'))
      .map(([read, yes, no]) => `${open(read)}${yes}{% else %}${no}${close}`);
  return {
    body: fc.array(tie('node'), { minLength: 1, maxLength: 5 }).map((nodes) => nodes.join('')),
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('text <b>&amp;</b> ', '\n  ', 'é ', '<p>', '{% raw %}{{ x }}{% endraw %}'),
      output,
      output,
      output,
      value.map((read) => `{% echo ${read} %}`),
      fc.constantFrom(
        '{% cycle "a", "b" %}',
        '{% break %}',
        '{% comment %}{{ q }}{% endcomment %}',
        '{% # x %}',
      ),
      fc.tuple(value, filter).map(([read, used]) => `{% assign y = ${read}${used} %}{{ y }}`),
      within((read) => `{% if ${read} %}`, '{% endif %}'),
      within((read) => `{% unless ${read} == "a" %}`, '{% endunless %}'),
      within((read) => `{% case ${read} %}{% when "a" %}`, '{% endcase %}'),
      within((read) => `{% for x in ${read} %}{{ x }}{{ forloop.index }}`, '{% endfor %}'),
      tie('body').map(
        (inner) => `{% for x in event.list limit: 1 offset: continue %}{{ x }}${inner}{% endfor %}`,
      ),
      tie('body').map((inner) => `{% capture z %}${inner}{% endcapture %}{{ z }}`),
    ),
  };
});

const settings: fc.Arbitrary<Setting> = fc
  .record({ title: fc.constantFrom('A <title>', 'a', 5), flag: fc.constantFrom(true, false, null) })
  .map((some) => ({
    variables: { ...some, n: 5, event: { room: 'R&D', list: ['a', 'b', 'c'] } },
    locale: 'de',
    timezone: 'UTC',
  }));
const owns: fc.Arbitrary<Scope> = fc.record({
  name: fc.constantFrom<unknown>('Ada', 'room', '', null, '<b>'),
  url: fc.constant('https://x/?a&b'),
  contact: fc.record({ first: fc.constantFrom('a', 'Ada'), tags: fc.constantFrom<unknown>([], ['a']) }),
});

describe('a template that is partly evaluated', () => {
  test('says what it says when it is rendered whole', () => {
    let rendered = 0;
    let faulty = 0;
    const template = fc.record({ subject: body, html: body, text: body });
    fc.assert(
      fc.property(
        template,
        settings,
        fc.array(owns, { minLength: 2, maxLength: 2 }),
        (source, setting, mails) => {
          const parsed = parseTemplate(source);
          const frame = frameOf(parsed, setting);
          for (const own of mails) {
            const whole = renderWhole(parsed, setting, own);
            const partly = renderFrame(frame, own);
            // The one limit that depends on the machine.
            if ([whole, partly].some((mail) => isFault(mail) && mail.fault.code === 'template_too_slow'))
              continue;
            // Of two faults in one template another may be met first; that there is one must agree.
            expect(isFault(partly) ? 'a fault' : partly).toEqual(isFault(whole) ? 'a fault' : whole);
            if (isFault(whole)) faulty += 1;
            else rendered += 1;
          }
        },
      ),
      { numRuns: 600 },
    );
    // Both kinds, or it says nothing.
    expect(rendered).toBeGreaterThan(120);
    expect(faulty).toBeGreaterThan(40);
  });

  test('renders what is the same for all only once', () => {
    const setting = { variables: { title: 'Open' }, locale: 'en', timezone: 'UTC' };
    const parsed = parseTemplate({ text: 'a {{ title }} b {% if title %}c{% endif %} {{ name }} d' });
    const { runs } = frameOf(parsed, setting);
    expect(runs?.get('text')?.map((run) => (typeof run === 'string' ? run : 'live'))).toEqual([
      'a Open b c ',
      'live',
      ' d',
    ]);
  });

  test('lets what is a mail’s own go before what is common', () => {
    const setting = { variables: { name: 'all' }, locale: 'en', timezone: 'UTC' };
    const frame = frameOf(parseTemplate({ text: '{{ name }} {{ locale }}' }), setting);
    expect(renderFrame(frame, {})).toEqual({ text: 'all en' });
    expect(renderFrame(frame, { name: 'Ada' })).toEqual({ text: 'Ada en' });
    expect(renderFrame(frame, { locale: 'fr' })).toEqual({ text: 'all fr' });
  });
});
