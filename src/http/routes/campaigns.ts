import { CAMPAIGN_STATES } from '../../core/campaign.js';
import type { Scheduling } from '../../campaigns/campaigns.js';
import { CampaignChange, CampaignInput, CampaignPatch, ReadyMessagesInput } from '../../campaigns/input.js';
import {
  Campaign,
  CampaignCalendar,
  CampaignDetail,
  CampaignList,
  CampaignResumption,
  CampaignRoom,
  DryRun,
  Happenings,
  presentCampaign,
  presentDetail,
  presentDryRun,
  presentHappening,
  presentProgress,
  presentResumption,
  ScheduleStatus,
  SchedulingLater,
  SchedulingResult,
} from '../../presentation/campaign.js';
import { SIMULATION_BOUNDS } from '../../core/simulation.js';
import { Message, presentMessage } from '../../presentation/message.js';
import { page } from '../../presentation/shape.js';
import { presentSimulation, Simulation } from '../../presentation/simulation.js';
import { Type, type Static } from '../../vendor/typebox.js';
import { accepted } from '../answers.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
const MB = 1024 * 1024;
const WithId = Type.Object({ id: Type.String() });
const Word = Type.Optional(Type.String({ maxLength: 100 }));
const Filter = Type.Object(
  { ...pageQuery, state: Type.Optional(Type.Enum([...CAMPAIGN_STATES])), q: Word },
  closed,
);
const Reason = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 500 })) }, closed);
/** What the service does for whoever asks; the command line has no such limits. */
const SIMULATION = { most: 50_000, seconds: 60 } as const;
const [LEAST_DAYS, MOST_DAYS] = SIMULATION_BOUNDS.days;
const Simulated = Type.Object(
  {
    days: Type.Optional(Type.Integer({ minimum: LEAST_DAYS, maximum: MOST_DAYS })),
    change: Type.Optional(CampaignChange),
  },
  closed,
);
const MAIN = { name: 'Autumn', sequenceId: 'seq_3k', accountIds: ['acc_1'] };

/** What was done, or that it goes on by itself: 202. */
const scheduled = (scheduling: Scheduling) => {
  if (!scheduling.done) return accepted({ progress: presentProgress(scheduling.progress) });
  const { scheduled: count, skipped, errors, warnings } = scheduling;
  return { scheduled: count, skipped, errors, warnings } satisfies Static<typeof SchedulingResult>;
};

const made: readonly Route[] = [
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/campaigns',
      operation: 'createCampaign',
      summary: 'A draft: who is written to, what, and from which accounts',
      body: CampaignInput,
      example: MAIN,
      answer: CampaignDetail,
    },
    async ({ body, workspace }) => {
      const id = await workspace.campaigns.create(body);
      return presentDetail(await workspace.campaigns.get(id));
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/campaigns',
      operation: 'listCampaigns',
      summary: 'All campaigns, newest first, with what holds each up',
      query: Filter,
      answer: CampaignList,
    },
    async ({ query, workspace }) => {
      const { items, nextCursor, plate, counts } = await workspace.campaigns.list(query);
      return { plate, items: items.map(presentCampaign), nextCursor, counts };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/campaigns/room',
      operation: 'getCampaignRoom',
      summary: 'What is planned for the next sending days, and what could leave',
      query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })) }, closed),
      answer: CampaignRoom,
    },
    ({ query, workspace }) => workspace.campaigns.room(query.days),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/campaigns/:id',
      operation: 'getCampaign',
      summary: 'One campaign, and how far its steps are',
      params: WithId,
      answer: CampaignDetail,
    },
    async ({ params, workspace }) => presentDetail(await workspace.campaigns.get(params.id)),
  ),
  route(
    'operate',
    {
      method: 'PATCH',
      url: '/api/campaigns/:id',
      operation: 'changeCampaign',
      summary: 'Of a draft everything; later what does not change the plan of what has left',
      params: WithId,
      body: CampaignPatch,
      example: { name: 'Late autumn' },
      answer: CampaignDetail,
      errors: ['conflict'],
    },
    async ({ params, body, workspace }) => {
      await workspace.campaigns.change(params.id, body);
      return presentDetail(await workspace.campaigns.get(params.id));
    },
  ),
];

const scheduling: readonly Route[] = [
  route(
    'read',
    {
      method: 'POST',
      url: '/api/campaigns/:id/plan',
      operation: 'planCampaign',
      summary: 'What a launch would come to, day by day; nothing is stored',
      params: WithId,
      answer: DryRun,
    },
    async ({ params, workspace }) => presentDryRun(await workspace.campaigns.plan(params.id)),
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/campaigns/:id/simulate',
      operation: 'simulateCampaign',
      summary:
        'What would become of it if it were launched, or went on, now: a copy runs ahead of time, changed first if that is said. 409 while another one does, and for more than 50,000 messages',
      params: WithId,
      body: Simulated,
      mayBeEmpty: true,
      example: { days: 60, change: { dailyLimit: 80 } },
      answer: Simulation,
      errors: ['conflict', 'invalid_config', 'busy'],
    },
    async ({ params, body, workspace }) => {
      const { days, change } = (body as Static<typeof Simulated> | undefined) ?? {};
      const options = { ...SIMULATION, days, change };
      return presentSimulation(await workspace.campaigns.simulate(params.id, options));
    },
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/campaigns/:id/launch',
      operation: 'launchCampaign',
      summary: 'It runs, and everybody in it is planned; 202 if that takes longer than 10 s',
      params: WithId,
      answer: SchedulingResult,
      accepted: SchedulingLater,
      errors: ['conflict', 'invalid_config'],
    },
    async ({ params, workspace }) => scheduled(await workspace.campaigns.launch(params.id)),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/campaigns/:id/schedule',
      operation: 'scheduleCampaign',
      summary: 'Plan for whoever has come since; 409 unless it runs',
      params: WithId,
      answer: SchedulingResult,
      accepted: SchedulingLater,
      errors: ['conflict'],
    },
    async ({ params, workspace }) => scheduled(await workspace.campaigns.schedule(params.id)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/campaigns/:id/schedule',
      operation: 'getCampaignSchedule',
      summary: 'How far it is',
      params: WithId,
      answer: ScheduleStatus,
    },
    async ({ params, workspace }) => {
      const { campaigns } = workspace;
      return {
        ...(await campaigns.status(params.id)),
        progress: presentProgress(await campaigns.progressOf(params.id)),
      };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/campaigns/:id/scheduled-emails',
      operation: 'listScheduledEmails',
      summary: 'Its messages, newest first',
      params: WithId,
      query: Type.Object(pageQuery, closed),
      answer: page(Message),
    },
    async ({ params, query, workspace }) => {
      await workspace.campaigns.get(params.id);
      const { items, nextCursor } = await workspace.messages.list({ ...query, campaignId: params.id });
      return { items: items.map(presentMessage), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/campaigns/:id/calendar',
      operation: 'getCampaignCalendar',
      summary: 'What is planned and what has left, by account and date, beside what was first planned',
      params: WithId,
      answer: CampaignCalendar,
    },
    ({ params, workspace }) => workspace.campaigns.calendar(params.id),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/campaigns/:id/resumption',
      operation: 'getCampaignResumption',
      summary: 'Of a paused one: until when it may be resumed and still end as planned',
      params: WithId,
      answer: CampaignResumption,
    },
    async ({ params, workspace }) => presentResumption(await workspace.campaigns.resumption(params.id)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/campaigns/:id/recent',
      operation: 'listRecent',
      summary: 'What has happened in it lately, newest first',
      params: WithId,
      query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })) }, closed),
      answer: Happenings,
    },
    async ({ params, query, workspace }) => {
      const { items } = await workspace.campaigns.recent(params.id, query.limit);
      return { items: items.map(presentHappening) };
    },
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/campaigns/:id/messages',
      operation: 'addReadyMessages',
      summary: 'Messages that somebody else made, dealt to accounts and planned; a known key is skipped',
      params: WithId,
      body: ReadyMessagesInput,
      bodyLimit: 32 * MB,
      example: { messages: [{ contactId: 'con_3k', subject: 'Hello', body: 'How are you?' }] },
      answer: SchedulingResult,
      errors: ['conflict'],
    },
    ({ params, body, workspace }) => workspace.campaigns.addMessages(params.id, body),
  ),
];

const decisions: readonly Route[] = (
  [
    ['pause', 'pauseCampaign', 'Nothing of it leaves any more but what was handed over'],
    ['resume', 'resumeCampaign', 'It goes on; what waits gets new times'],
    ['stop', 'stopCampaign', 'End it; what waits is cancelled'],
  ] as const
).map(([verb, operation, summary]) =>
  route(
    'operate',
    {
      method: 'POST',
      url: `/api/campaigns/:id/${verb}`,
      operation,
      summary,
      params: WithId,
      ...(verb === 'pause' && { body: Reason, example: { reason: 'holidays' }, mayBeEmpty: true as const }),
      answer: Campaign,
      errors: ['conflict'],
    },
    async ({ params, body, workspace: { campaigns } }) => {
      if (verb === 'pause')
        await campaigns.pause(params.id, (body as Static<typeof Reason> | undefined)?.reason);
      else if (verb === 'resume') await campaigns.resume(params.id);
      else await campaigns.stop(params.id);
      return presentCampaign(await campaigns.get(params.id));
    },
  ),
);

export const campaignRoutes: readonly Route[] = [...made, ...scheduling, ...decisions];
