/** What somebody could write into a template to harm whoever renders it. */
const doubling = (step: string) =>
  `{% assign a = "xxxxxxxxxxxxxxxx" %}{% for i in (1..40) %}${step}{% endfor %}{{ a | size }}`;
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

export const BOMBS: Readonly<Record<string, string>> = {
  'loops in loops': '{% for i in (1..9999) %}{% for j in (1..9999) %}{{ i }}{% endfor %}{% endfor %}',
  'empty loops in loops': '{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}',
  'sixty loops deep': nested('{% for i in (1..2) %}', '{% endfor %}', 60),
  'a text that doubles': doubling('{% assign a = a | append: a %}'),
  'a capture that doubles': doubling('{% capture a %}{{ a }}{{ a }}{% endcapture %}'),
  'a text that grows by replacing': doubling('{% assign a = a | replace: "x", "xxxxxxxx" %}'),
  'a list that doubles':
    '{% assign a = (1..1000) %}{% for i in (1..30) %}{% assign a = a | concat: a %}{% endfor %}',
  'a huge range': '{{ (1..1000000000) | size }}',
  'sorting again and again':
    '{% for i in (1..5000) %}{% assign a = (1..3000) | reverse | sort %}{% endfor %}',
  'looking through a list for each of it':
    '{% assign a = (1..4000) | uniq %}{% for i in a %}{% if a contains "0x" %}{% endif %}{% endfor %}',
  'cutting words': '{% for i in (1..20000) %}{% assign s = big | truncatewords: 5000 %}{% endfor %}',
  'splitting letters': '{% for i in (1..20000) %}{% assign s = big | split: "" %}{% endfor %}',
  'a large value, many times': '{% for i in (1..9999) %}{{ big }}{% endfor %}',
  'conditions 8,000 deep': nested('{% if 1 %}', '{% endif %}', 8_000),
  'a long chain of filters': `{{ "a"${' | append: "bbbbbbbbbbbbbbbbbbbbbbbb"'.repeat(4_000)} }}`,
  'a cycle without end': '{% for i in (1..99999999) %}{% cycle "a", "b" %}{% endfor %}',
  'openings that are never closed': '{{'.repeat(50_000),
  'raw text that is never closed': `{% raw %}${'{%'.repeat(50_000)}`,
  'a file': '{% include "/etc/passwd" %}',
  'another template': '{% render "x" %}',
  'itself, again and again': '{% for i in (1..9) %}{% render "bomb" %}{% endfor %}',
  'a frame around itself': '{% layout "bomb" %}{% block a %}{{ block.super }}{% endblock %}',
  'a pattern that backtracks, looked for in much':
    '{{ big | replace: "(a+)+$", "x" | split: "(.*)*" | size }}',
  'brackets in brackets': `{{ ${'event['.repeat(3_000)}0${']'.repeat(3_000)} }}`,
  'writing that turns round and hides': `\u202e{{ name }}\u2066\u200b\ufeff${'\u0301'.repeat(20_000)}`,
  'an expression as a text': '{{ big | where_exp: "i", "1" }}',
  'the program’s own objects': '{{ event.constructor.constructor }}',
  'the same, by their names': '{{ event["constructor"]["constructor"] }}{{ "" | constructor }}',
  'a prototype': '{{ event.__proto__.polluted }}',
};
