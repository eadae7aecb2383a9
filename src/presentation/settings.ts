import { DOUBT_POLICIES } from '../core/message.js';
import { RETRY_POLICY_NAMES } from '../core/retry.js';
import { Type } from '../vendor/typebox.js';
import { Spacing, windowFields } from './account.js';
import { figure, flag, list, nullable, optional, text, whole, word } from './shape.js';

export const WorkspaceProfile = Type.Object(
  {
    name: text('Harbour Rooms'),
    postalAddress: nullable(
      Type.String(),
      'Stands in the footer of campaign mails.',
      'Quay 4, 20457 Hamburg',
    ),
    defaultLocale: text('en'),
  },
  { title: 'WorkspaceProfile' },
);

const PolicyName = word(RETRY_POLICY_NAMES, { title: 'RetryPolicyName' });
const waits = { maxAttempts: whole(5), delaysSeconds: list(whole(60)) };
const RetryWaits = Type.Object(waits, { title: 'RetryWaits' });

export const NamedPolicy = Type.Object(
  {
    name: PolicyName,
    ...waits,
    inlineDelaySeconds: optional(
      whole(30, 'Between a try of the caller himself and the first of the engine.'),
    ),
  },
  { title: 'NamedPolicy' },
);

const LaneDelivery = Type.Object(
  {
    retryPolicy: Type.Union([PolicyName, RetryWaits]),
    onDoubt: word(DOUBT_POLICIES, { title: 'OnDoubt' }),
    expirySeconds: nullable(Type.Integer(), 'Too late to be useful after so long; null: never.'),
    guarded: flag(false, 'Obeys window, quota and spacing of its account.'),
  },
  { title: 'LaneDelivery' },
);

export const DeliverySettings = Type.Object(
  {
    lanes: Type.Object({ outbox: LaneDelivery, campaign: LaneDelivery, notification: LaneDelivery }),
    health: Type.Object(
      {
        bouncePercent: figure(5),
        complaintPercent: figure(0.1),
        atLeast: whole(3, 'Fewer than this say nothing, whatever their share.'),
        minSends: whole(50),
        days: whole(7),
      },
      { description: 'When an account pauses itself.' },
    ),
    retentionDays: whole(30, 'Finished messages are forgotten after so many days.'),
    auditDays: whole(400, 'So long is kept who did what.'),
  },
  { title: 'DeliverySettings' },
);

export const SendingSettings = Type.Object(
  {
    ...windowFields,
    dailyQuota: whole(100, 'Of the whole workspace, a local day.'),
    rampUpEnabled: flag(false),
    rampUp: Type.Object({ start: whole(5), step: whole(5) }),
    spacing: Spacing,
    holidays: list(text('2026-12-25'), 'Local dates.'),
  },
  { title: 'SendingSettings' },
);
