import type { Route } from '../route.js';
import { accountRoutes } from './accounts.js';
import { adminRoutes } from './admin.js';
import { auditRoutes } from './audit.js';
import { authRoutes } from './auth.js';
import { cronRoutes } from './cron.js';
import { healthRoutes } from './health.js';
import { inboxRoutes } from './inbox.js';
import { keyRoutes } from './keys.js';
import { messageRoutes } from './messages.js';
import { outboxRoutes } from './outbox.js';
import { settingsRoutes } from './settings.js';
import { streamRoutes } from './stream.js';
import { userRoutes } from './users.js';
import { workspaceRoutes } from './workspaces.js';

/** Every route of the API. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...workspaceRoutes,
  ...userRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...outboxRoutes,
  ...messageRoutes,
  ...adminRoutes,
  ...accountRoutes,
  ...settingsRoutes,
  ...cronRoutes,
  ...healthRoutes,
  ...inboxRoutes,
  ...streamRoutes,
];
