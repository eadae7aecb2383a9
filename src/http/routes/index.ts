import type { Route } from '../route.js';
import { authRoutes } from './auth.js';
import { messageRoutes } from './messages.js';
import { outboxRoutes } from './outbox.js';

/** Every route there is. */
export const routes: readonly Route[] = [...authRoutes, ...outboxRoutes, ...messageRoutes];
