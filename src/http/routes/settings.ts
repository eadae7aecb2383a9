import { RETRY_POLICIES, RETRY_POLICY_NAMES } from '../../core/retry.js';
import { DeliveryInput, ProfileInput, SendingInput } from '../../settings/input.js';
import {
  DeliverySettings,
  NamedPolicy,
  SendingSettings,
  WorkspaceProfile,
} from '../../presentation/settings.js';
import { page } from '../../presentation/shape.js';
import { route, type Route } from '../route.js';

export const settingsRoutes: readonly Route[] = [
  route(
    'read',
    {
      method: 'GET',
      url: '/api/settings/workspace',
      operation: 'getProfile',
      summary: 'Name, postal address and language',
      answer: WorkspaceProfile,
    },
    ({ workspace }) => workspace.settings.profile(),
  ),
  route(
    'admin',
    {
      method: 'PUT',
      url: '/api/settings/workspace',
      operation: 'updateProfile',
      summary: 'Set name, postal address and language',
      body: ProfileInput,
      example: { postalAddress: 'Quay 4, 20457 Hamburg' },
      answer: WorkspaceProfile,
    },
    ({ body, workspace }) => workspace.settings.changeProfile(body),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/settings/delivery',
      operation: 'getDelivery',
      summary: 'Retries, doubts and expiry of each lane, health thresholds and retention',
      answer: DeliverySettings,
    },
    ({ workspace }) => workspace.settings.delivery(),
  ),
  route(
    'admin',
    {
      method: 'PUT',
      url: '/api/settings/delivery',
      operation: 'updateDelivery',
      summary: 'Set retries, doubts and expiry of each lane, health thresholds and retention',
      body: DeliveryInput,
      example: { lanes: { outbox: { retryPolicy: 'dispatcher' } }, retentionDays: 60 },
      answer: DeliverySettings,
    },
    ({ body, workspace }) => workspace.settings.changeDelivery(body),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/settings/retry-policies',
      operation: 'listRetryPolicies',
      summary: 'The retry policies that have a name, and what each of them does',
      answer: page(NamedPolicy),
    },
    () => ({
      items: RETRY_POLICY_NAMES.map((name) => ({ name, ...RETRY_POLICIES[name] })),
      nextCursor: null,
    }),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/settings/sending',
      operation: 'getSending',
      summary: 'When mail may leave',
      answer: SendingSettings,
    },
    ({ workspace }) => workspace.settings.sending(),
  ),
  route(
    'admin',
    {
      method: 'PUT',
      url: '/api/settings/sending',
      operation: 'updateSending',
      summary: 'Set when mail may leave',
      body: SendingInput,
      example: { sendingDays: [1, 2, 3, 4, 5], startHour: 8, endHour: 17 },
      answer: SendingSettings,
    },
    ({ body, workspace }) => workspace.settings.changeSending(body),
  ),
];
