import { RETRY_POLICIES } from '../../core/retry.js';
import { DeliveryInput, ProfileInput, SendingInput } from '../../settings-input.js';
import { route, type Route } from '../route.js';

export const settingsRoutes: readonly Route[] = [
  route(
    'read',
    { method: 'GET', url: '/api/settings/workspace', summary: 'Name, postal address and language' },
    ({ workspace }) => workspace.settings.profile(),
  ),
  route(
    'admin',
    {
      method: 'PUT',
      url: '/api/settings/workspace',
      summary: 'Set name, postal address and language',
      body: ProfileInput,
    },
    ({ body, workspace }) => workspace.settings.changeProfile(body),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/settings/delivery',
      summary: 'Retries, doubts and expiry of each lane, health thresholds and retention',
    },
    ({ workspace }) => workspace.settings.delivery(),
  ),
  route(
    'admin',
    {
      method: 'PUT',
      url: '/api/settings/delivery',
      summary: 'Set retries, doubts and expiry of each lane, health thresholds and retention',
      body: DeliveryInput,
    },
    ({ body, workspace }) => workspace.settings.changeDelivery(body),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/settings/retry-policies',
      summary: 'The retry policies that have a name, and what each of them does',
    },
    () => ({
      items: Object.entries(RETRY_POLICIES).map(([name, policy]) => ({ name, ...policy })),
      nextCursor: null,
    }),
  ),
  route(
    'read',
    { method: 'GET', url: '/api/settings/sending', summary: 'When mail may leave' },
    ({ workspace }) => workspace.settings.sending(),
  ),
  route(
    'admin',
    { method: 'PUT', url: '/api/settings/sending', summary: 'Set when mail may leave', body: SendingInput },
    ({ body, workspace }) => workspace.settings.changeSending(body),
  ),
];
