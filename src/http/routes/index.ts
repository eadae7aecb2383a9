import type { Route } from '../route.js';
import { accountRoutes } from './accounts.js';
import { adminRoutes } from './admin.js';
import { auditRoutes } from './audit.js';
import { authRoutes } from './auth.js';
import { contactRoutes } from './contacts.js';
import { campaignPeopleRoutes } from './campaign-people.js';
import { campaignRoutes } from './campaigns.js';
import { cronRoutes } from './cron.js';
import { eventRoutes } from './events.js';
import { healthRoutes } from './health.js';
import { importRoutes } from './imports.js';
import { inboundRoutes } from './inbound.js';
import { inboxRoutes } from './inbox.js';
import { keyRoutes } from './keys.js';
import { limitRoutes } from './limits.js';
import { mailJobRoutes } from './mail-jobs.js';
import { messageRoutes } from './messages.js';
import { outboxRoutes } from './outbox.js';
import { peopleRoutes } from './people.js';
import { recipientPageRoutes } from './recipient-pages.js';
import { recipientRoutes } from './recipients.js';
import { sequenceRoutes } from './sequences.js';
import { settingsRoutes } from './settings.js';
import { streamRoutes } from './stream.js';
import { subscriptionRoutes } from './subscriptions.js';
import { suppressionRoutes } from './suppressions.js';
import { templateRoutes } from './templates.js';
import { userRoutes } from './users.js';
import { workerRoutes } from './workers.js';
import { workspaceRoutes } from './workspaces.js';

export interface RouteGroup {
  readonly tag: string;
  readonly about: string;
  readonly routes: readonly Route[];
}

/** Every route of the API, as the documentation groups them. */
export const routeGroups: readonly RouteGroup[] = [
  { tag: 'Sending', about: 'A mail goes in.', routes: outboxRoutes },
  { tag: 'Messages', about: 'What became of a mail, and what to do about it.', routes: messageRoutes },
  { tag: 'Overview', about: 'What is not finished, and how things stand.', routes: adminRoutes },
  { tag: 'Accounts', about: 'Who sends, and how.', routes: accountRoutes },
  { tag: 'Limits', about: 'How much may leave, and what is planned against that.', routes: limitRoutes },
  {
    tag: 'Campaigns',
    about: 'Who is written to, what, and when.',
    routes: [...campaignRoutes, ...campaignPeopleRoutes],
  },
  { tag: 'Sequences', about: 'What campaigns say, step by step.', routes: sequenceRoutes },
  { tag: 'Templates', about: 'What notifications say, by version and locale.', routes: templateRoutes },
  {
    tag: 'Contacts',
    about: 'People to write to, one by one or as a file.',
    routes: [...contactRoutes, ...importRoutes],
  },
  {
    tag: 'Notifications',
    about: 'What happened, who wants to know, and who was told.',
    routes: [...eventRoutes, ...subscriptionRoutes, ...mailJobRoutes],
  },
  {
    tag: 'Recipients',
    about: 'What the links in mails lead to.',
    routes: [...recipientRoutes, ...recipientPageRoutes],
  },
  { tag: 'Inbound', about: 'What comes back for a mail, and what that means.', routes: inboundRoutes },
  { tag: 'Suppressions', about: 'Who gets no mail.', routes: suppressionRoutes },
  { tag: 'Privacy', about: 'What is kept about somebody, and its end.', routes: peopleRoutes },
  { tag: 'Settings', about: 'What a workspace decides about its mail.', routes: settingsRoutes },
  { tag: 'Inbox', about: 'What the built-in catcher took, for development.', routes: inboxRoutes },
  { tag: 'Live', about: 'Changes as they happen.', routes: streamRoutes },
  { tag: 'Session', about: 'Who is asking.', routes: authRoutes },
  { tag: 'Workspaces', about: 'Each has its own mail, people and keys.', routes: workspaceRoutes },
  { tag: 'People', about: 'Who may do what in a workspace.', routes: userRoutes },
  { tag: 'Keys', about: 'How programs show who they are.', routes: keyRoutes },
  { tag: 'Audit', about: 'Who changed what.', routes: auditRoutes },
  { tag: 'Workers', about: 'Who sends, and the broker if there is one.', routes: workerRoutes },
  { tag: 'Timer', about: 'For places where nothing runs but what a timer calls.', routes: cronRoutes },
  { tag: 'Health', about: 'What machines ask.', routes: healthRoutes },
];

export const routes: readonly Route[] = routeGroups.flatMap((group) => group.routes);
