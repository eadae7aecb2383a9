import type { Stage } from './stage.js';

const text = (locale: string, hello: string, name = 'room') => ({
  ...{ locale, subject: `${hello}: {{ title }}` },
  html: `<p>${hello}</p>\n<p>{{ title }}</p>\n<p>{{ ${name} }}</p>\n`,
});

/** A template in three locales, one of them with a slip, an event that named it, and readers of four locales. */
export async function aTemplate(stage: Stage, id = 'free-room'): Promise<string> {
  await stage.call('POST', `/api/templates/${id}/versions`, {
    ...{ version: 'v1', isNew: true },
    texts: [
      text('en', 'A place is free'),
      text('fr', 'Une place est libre'),
      text('ar', 'يوجد مكان شاغر', 'rom'),
    ],
  });
  for (const locale of ['en', 'fr', 'ar', 'it'])
    await stage.call('POST', '/api/subscriptions', {
      ...{ topic: `rooms of ${id}`, contactType: 'email', contactValue: `${locale}@${id}.example.org` },
      ...{ locale, status: 'paused' },
    });
  // Nobody is told of it: its topic has no active subscription yet.
  await stage.call('POST', '/api/events', {
    ...{ type: 'room.free', topic: `rooms of ${id}`, template: { id } },
    payload: { title: 'Bread by the tide table', room: '07' },
  });
  const { items } = (await stage.call(
    'GET',
    `/api/subscriptions?topic=${encodeURIComponent(`rooms of ${id}`)}`,
  )) as {
    items: { id: string }[];
  };
  for (const each of items) await stage.call('PATCH', `/api/subscriptions/${each.id}`, { status: 'active' });
  return id;
}

/** Somebody of every reason. */
export async function suppressed(stage: Stage): Promise<void> {
  for (const reason of ['hard_bounce', 'soft_bounces', 'complaint', 'unsubscribed', 'manual'])
    await stage.call('POST', '/api/suppressions', {
      ...{ email: `${reason.replace('_', '-')}@people.example`, reason },
      ...(reason === 'manual' && { note: 'asked by letter' }),
    });
}
