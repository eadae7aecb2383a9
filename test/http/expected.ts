import type { Rule } from '#pillarbox/http/route';

export interface Expectation {
  readonly rule: Rule;
  /** A body that is right: what is refused is refused for who asks. */
  readonly body?: object;
  /** What all scopes of another workspace are worth here, where it is not 404 for an object and a success otherwise. */
  readonly elsewhere?: 403;
}

const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.', mode: 'queue' };
const ACCOUNT = {
  ...{ name: 'Another', emailAddress: 'another@example.org' },
  transport: { kind: 'gmail', clientId: 'x', clientSecret: 'x', refreshToken: 'x' },
};

/** Written by hand, apart from the code: who may do what is decided here a second time. */
export const EXPECTED: Readonly<Record<string, Expectation>> = {
  'GET /healthz': { rule: 'anyone' },
  'GET /readyz': { rule: 'anyone' },
  'GET /metrics': { rule: 'anyone' },
  // Without a password, because one that is wrong is answered 401 as well.
  'POST /api/auth/login': { rule: 'anyone', body: { email: 'nobody@example.org' } },
  'POST /api/auth/logout': { rule: 'known' },
  'GET /api/auth/me': { rule: 'known' },
  // Without the new one: a present one that is wrong is answered 401.
  'POST /api/auth/password': { rule: 'person', body: { current: 'x' }, elsewhere: 403 },
  'GET /api/auth/sessions': { rule: 'person', elsewhere: 403 },
  'DELETE /api/auth/sessions/:id': { rule: 'person', elsewhere: 403 },
  'POST /api/workspaces': { rule: 'admin', body: { name: 'Another' }, elsewhere: 403 },
  'GET /api/workspaces': { rule: 'known' },
  'POST /api/users': { rule: 'admin', body: { email: 'new@example.org', role: 'viewer' } },
  'GET /api/users': { rule: 'admin' },
  'GET /api/users/:id': { rule: 'admin' },
  'PATCH /api/users/:id': { rule: 'admin', body: { role: 'viewer' } },
  'DELETE /api/users/:id': { rule: 'admin' },
  'POST /api/keys': { rule: 'admin', body: { name: 'New', scopes: ['send'] } },
  'GET /api/keys': { rule: 'admin' },
  'GET /api/keys/:id': { rule: 'admin' },
  'DELETE /api/keys/:id': { rule: 'admin' },
  'GET /api/audit': { rule: 'admin' },
  'POST /api/outbox': { rule: 'send', body: MAIL },
  'POST /api/outbox/bulk': { rule: 'send', body: { messages: [MAIL] } },
  'GET /api/messages': { rule: 'read' },
  'GET /api/messages/dead-groups': { rule: 'read' },
  'POST /api/messages/dead-groups/:fingerprint/retry': { rule: 'operate' },
  'POST /api/messages/dead-groups/:fingerprint/dismiss': { rule: 'operate' },
  'POST /api/messages/bulk': { rule: 'operate', body: { action: 'cancel', ids: ['msg_zzz'] } },
  'GET /api/messages/:id': { rule: 'read' },
  'GET /api/messages/:id/content': { rule: 'read' },
  'GET /api/messages/:id/preview': { rule: 'read' },
  'GET /api/messages/:id/raw': { rule: 'read' },
  'GET /api/messages/:id/explain': { rule: 'read' },
  'POST /api/messages/:id/retry': { rule: 'operate' },
  'POST /api/messages/:id/dismiss': { rule: 'operate' },
  'POST /api/messages/:id/cancel': { rule: 'operate' },
  'POST /api/messages/:id/resolve': { rule: 'operate', body: { as: 'sent' } },
  'POST /api/accounts': { rule: 'admin', body: ACCOUNT },
  'GET /api/accounts': { rule: 'read' },
  'GET /api/accounts/standing': { rule: 'read' },
  'GET /api/accounts/:id': { rule: 'read' },
  'PATCH /api/accounts/:id': { rule: 'operate', body: { status: 'active' } },
  'DELETE /api/accounts/:id': { rule: 'admin' },
  'POST /api/accounts/:id/verify': { rule: 'operate' },
  'GET /api/accounts/:id/activity': { rule: 'read' },
  'GET /api/settings/workspace': { rule: 'read' },
  'PUT /api/settings/workspace': { rule: 'admin', body: { defaultLocale: 'en' } },
  'GET /api/settings/delivery': { rule: 'read' },
  'PUT /api/settings/delivery': { rule: 'admin', body: { retentionDays: 30 } },
  'GET /api/settings/retry-policies': { rule: 'read' },
  'GET /api/settings/sending': { rule: 'read' },
  'PUT /api/settings/sending': { rule: 'admin', body: { dailyQuota: 100 } },
  'GET /api/admin/outbox': { rule: 'read' },
  'POST /api/admin/outbox/:id/retry': { rule: 'operate' },
  'DELETE /api/admin/outbox/:id': { rule: 'operate' },
  'GET /api/admin/dashboard': { rule: 'read' },
  'POST /api/admin/demo': { rule: 'admin', elsewhere: 403 },
  'GET /api/cron/send-emails': { rule: 'cron' },
  'POST /api/cron/send-emails': { rule: 'cron' },
  'GET /api/stream': { rule: 'read' },
  'GET /api/inbox': { rule: 'read' },
  'GET /api/inbox/:id': { rule: 'read' },
  'GET /api/inbox/:id/preview': { rule: 'read' },
  'GET /api/inbox/:id/raw': { rule: 'read' },
  'DELETE /api/inbox': { rule: 'operate' },
};
