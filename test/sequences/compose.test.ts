import { afterAll, describe, expect, test } from 'vitest';
import { compose, toBytes } from '#pillarbox/mime/compose';
import { composeStep, composeSteps, type ComposeJob } from '#pillarbox/sequences/compose';
import type { SequenceStep } from '#pillarbox/store/scripts/sequences';
import { RenderPool } from '#pillarbox/templates/render-pool';

const pool = new RenderPool();
afterAll(() => pool.close());

const URL_OF_ADA = 'https://mail.example.org/u/AbC-1_2';
const step = (over: Partial<SequenceStep> = {}): SequenceStep => ({
  ...{ order: 1, delayDays: 0, delayUnit: 'days', action: 'email', bodyText: null },
  ...{ subject: 'Hello {{ contact.name }}', body: '<p>Hi {{ contact.attributes.company }}</p>' },
  ...over,
});
const ada = {
  ...{ id: 7, email: 'ada@example.org', emailGiven: null, name: 'Ada', linkedinId: 'ada-l', timezone: null },
  attributes: { company: 'Ada & Co', empty: '' },
};
const job = (over: Partial<ComposeJob> = {}): ComposeJob => {
  const first = over.step ?? step();
  return {
    ...{ step: first, steps: [first], contact: ada },
    account: { id: 3, name: 'Front desk', emailAddress: 'desk@example.org', displayName: 'The desk' },
    campaign: { id: 9, name: 'Autumn' },
    ...{ unsubscribeUrl: URL_OF_ADA, postalAddress: 'Quay 4\nHamburg' },
    ...over,
  };
};
const mailOf = async (over: Partial<ComposeJob> = {}) => {
  const composed = await composeStep(pool, job(over));
  if ('fault' in composed) throw new Error(composed.fault.message);
  return composed.mail;
};
const faultOf = async (over: Partial<ComposeJob>) => {
  const composed = await composeStep(pool, job(over));
  return 'fault' in composed ? composed.fault : undefined;
};

describe('a step for one person', () => {
  test('is a whole mail with all headers of its kind', async () => {
    const mail = await mailOf();
    expect(mail).toMatchObject({
      from: { email: 'desk@example.org', name: 'The desk' },
      to: { email: 'ada@example.org', name: 'Ada' },
      subject: 'Hello Ada',
      unsubscribeUrl: URL_OF_ADA,
    });
    const bytes = toBytes(compose(mail, { messageId: '<a@b.c>', date: 0 })).toString();
    expect(bytes).toContain(`List-Unsubscribe: <${URL_OF_ADA}>\r\n`);
    expect(bytes).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
  });

  test('reads of account and campaign what the API calls so', async () => {
    const body =
      '{{ account.name }}|{{ account.emailAddress }}|{{ account.id }}|{{ campaign.name }}|{{ campaign.id }}';
    expect((await mailOf({ step: step({ body }) })).text).toContain(
      'Front desk|desk@example.org|acc_3|Autumn|cmp_9',
    );
  });

  test('that is not known of a person ends its mail, and so does an empty text', async () => {
    for (const name of ['missing', 'empty']) {
      expect(await faultOf({ step: step({ body: `{{ contact.attributes.${name} }}` }) })).toEqual({
        ...{ class: 'permanent', scope: 'message', code: 'template_missing_variable' },
        message: `step 1, html, line 1: contact.attributes.${name} is not known of this recipient, and the html needs it`,
      });
    }
    expect(await faultOf({ contact: { ...ada, name: null } })).toMatchObject({
      code: 'template_missing_variable',
    });
  });

  test('is asked for in batches, in which one fault is one fault', async () => {
    const jobs = [
      job(),
      job({ contact: { ...ada, email: null } }),
      job({ step: step({ body: '{{ x }}' }) }),
      job(),
    ];
    const composed = await composeSteps(pool, jobs);
    expect(composed.map((each) => ('fault' in each ? each.fault.code : each.mail.subject))).toEqual([
      'Hello Ada',
      'contact_without_email',
      'template_missing_variable',
      'Hello Ada',
    ]);
  });

  test('that takes too long is tried again later', async () => {
    const body = '{% for i in (1..9999) %}{% for j in (1..99) %}{{ i }}{% endfor %}{% endfor %}';
    const slow = body.replace('(1..99)', '(1..999999)');
    const fault = await faultOf({ step: step({ body: slow }) });
    expect(fault?.code).toMatch(/^template_/);
    expect(fault?.class).toBe((fault?.code ?? '').includes('slow') ? 'retryable' : 'permanent');
  });
});

describe('a body', () => {
  test('without markup is a text, and its lines stay lines', async () => {
    const body = 'Dear {{ contact.name }},\n\n3 < 5 & {{ contact.attributes.company }}\nYours';
    const { html, text } = await mailOf({ step: step({ body }), postalAddress: null });
    expect(text).toBe(`Dear Ada,\n\n3 < 5 & Ada & Co\nYours\n\n-- \nUnsubscribe: ${URL_OF_ADA}\n`);
    expect(html).toContain('Dear Ada,<br>\n<br>\n3 &lt; 5 &amp; Ada &amp; Co<br>\nYours');
  });

  test('in html has a text of its own, or one that is made of it', async () => {
    const { text } = await mailOf({ step: step({ body: '<b>Hi</b> {{ contact.name }}' }) });
    expect(text).toMatch(/^Hi Ada\n/);
    const own = await mailOf({ step: step({ body: '<b>Hi</b>', bodyText: 'Hello {{ contact.name }}' }) });
    expect(own.text).toMatch(/^Hello Ada\n/);
  });
});

describe('the footer', () => {
  test('stands at the end, where the template has said neither', async () => {
    const { html, text } = await mailOf({ step: step({ body: '<html><body><p>Hi</p></body></html>' }) });
    expect(html).toMatch(
      /<p style="[^"]+"><a href="https:\/\/mail\.example\.org\/u\/AbC-1_2"[^>]*>Unsubscribe<\/a>\nQuay 4\nHamburg<\/p>\n<\/body><\/html>$/,
    );
    expect(text).toBe(`Hi\n\n-- \nUnsubscribe: ${URL_OF_ADA}\nQuay 4\nHamburg\n`);
  });

  test('says only what the template has not', async () => {
    const body = '<p>Hi</p><a href="{{ unsubscribeUrl }}">Stop</a>';
    const one = await mailOf({ step: step({ body }) });
    expect(one.html?.split(URL_OF_ADA)).toHaveLength(2);
    expect(one.html).toContain('Hamburg</p>');
    const both = await mailOf({ step: step({ body: `${body}{{ postalAddress }}` }) });
    expect(both.html).not.toContain('<p style');
    expect(both.text).not.toContain('-- \n');
    const none = await mailOf({ step: step({ body }), postalAddress: null });
    expect(none.html).toBe(`<p>Hi</p><a href="${URL_OF_ADA}">Stop</a>`);
  });

  test('is there also where a condition has left the link out', async () => {
    const body = '<p>Hi</p>{% if contact.attributes.vip %}<a href="{{ unsubscribeUrl }}">Stop</a>{% endif %}';
    expect((await mailOf({ step: step({ body }) })).html).toContain(URL_OF_ADA);
  });

  test('makes no markup of an address', async () => {
    const { html } = await mailOf({ postalAddress: '<script>"' });
    expect(html).toContain('&lt;script&gt;&quot;');
  });
});

describe('a thread', () => {
  const first = step({ subject: 'News for {{ contact.name }}' });
  const second = step({ order: 2, subject: null, body: 'And?' });
  const thread = { subject: 'News for Ada, as sent', messageIds: ['<1@x.org>', '<2@x.org>'] };

  test('is joined by a step without a subject of its own', async () => {
    expect(await mailOf({ step: second, steps: [first, second], thread })).toMatchObject({
      subject: 'Re: News for Ada, as sent',
      inReplyTo: '<2@x.org>',
      references: ['<1@x.org>', '<2@x.org>'],
    });
    const again = { ...thread, subject: 're: News' };
    expect((await mailOf({ step: second, steps: [first, second], thread: again })).subject).toBe('re: News');
  });

  test('is not joined by one that has a subject', async () => {
    const other = step({ order: 2, subject: 'Something else' });
    const mail = await mailOf({ step: other, steps: [first, other], thread });
    expect(mail).toMatchObject({ subject: 'Something else' });
    expect(mail).not.toHaveProperty('inReplyTo');
  });

  test('that was not begun yet has the subject of the step that will', async () => {
    const note = step({ order: 2, action: 'message', subject: null, body: 'Hi' });
    const third = step({ order: 3, subject: null, body: 'And?' });
    expect((await mailOf({ step: third, steps: [first, note, third] })).subject).toBe('Re: News for Ada');
  });
});

describe('a step on LinkedIn', () => {
  const note = (body: string, over: Partial<SequenceStep> = {}) =>
    step({ action: 'connection_request', subject: null, body, ...over });

  test('is a text, without a footer', async () => {
    expect(await mailOf({ step: note('Hi {{ contact.name }} <3') })).toMatchObject({
      linkedinId: 'ada-l',
      text: 'Hi Ada <3',
    });
    const inmail = note('Text', { action: 'inmail', subject: 'For {{ contact.name }}' });
    expect(await mailOf({ step: inmail })).toMatchObject({ subject: 'For Ada', text: 'Text' });
  });

  test('needs a person who is there', async () => {
    const contact = { ...ada, linkedinId: null };
    expect(await faultOf({ step: note('Hi'), contact })).toMatchObject({ code: 'contact_without_linkedin' });
  });

  test('is no longer than a note may be, once it is rendered', async () => {
    const body = '{{ contact.attributes.company }}';
    const long = (letters: number) => ({ ...ada, attributes: { company: 'x'.repeat(letters) } });
    expect(await faultOf({ step: note(body), contact: long(300) })).toBeUndefined();
    expect(await faultOf({ step: note(body), contact: long(301) })).toMatchObject({
      class: 'permanent',
      code: 'note_too_long',
      message: 'the note has 301 letters for this person, and LinkedIn takes 300',
    });
    expect(await faultOf({ step: note('') })).toBeUndefined();
    expect(await faultOf({ step: note(' ', { action: 'message' }) })).toMatchObject({
      code: 'template_fault',
    });
  });
});
