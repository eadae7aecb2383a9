import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  useRouter,
} from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from './api/client';
import { ofMessages } from './api/queries';
import { queryClient } from './api/query-client';
import { Failure } from './parts/failure';
import { LoginPage } from './pages/login/page';
import { filterOf, type QueueSearch } from './pages/queue/filters';
import { NotFoundPage } from './pages/not-found/page';
import { parseSearch, searchText } from './search-text';
import { useSession } from './session';
import { Shell } from './shell/shell';

/** The query of a list is the query of its API call, by the same names. What is not known is dropped. */
const only =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names.filter((name) => typeof search[name] === 'string').map((name) => [name, search[name]]),
    ) as Partial<Record<Name, string>>;

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <Inside>
      <NotFoundPage />
    </Inside>
  ),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: only('next'),
  component: LoginPage,
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation/page'), 'InvitationPage'),
});

const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Inside });

/** Only for who is signed in; others come back here after the log-in page. */
function Inside({ children }: { readonly children?: React.ReactNode }) {
  const session = useSession();
  if (session.data) return <Shell me={session.data}>{children}</Shell>;
  if (!session.isError) return null;
  if (session.error instanceof ApiError && session.error.status === 401) {
    return <ToLogin />;
  }
  return (
    <main className="mx-auto max-w-3xl p-6">
      <Failure error={session.error} what="who you are" onRetry={() => void session.refetch()} />
    </main>
  );
}

/** Reads the address once: on the way to the log-in page it changes, and following it there would never end. */
function ToLogin() {
  const router = useRouter();
  const [href] = useState(() => router.state.location.href);
  return <Navigate to="/login" search={href === '/' ? {} : { next: href }} replace />;
}

const MESSAGE_FILTER = [
  'state',
  'lane',
  'accountId',
  'campaignId',
  'eventId',
  'subscriptionId',
  'reason',
  'step',
  'day',
  'to',
  'q',
  'fingerprint',
  'cursor',
] as const;

const overview = createRoute({
  getParentRoute: () => inside,
  path: '/',
  validateSearch: only('range'),
  component: lazyRouteComponent(() => import('./pages/overview/page'), 'OverviewPage'),
});

/** What is asked for here comes beside the page's code and the session, not after them. */
const queuePage = lazyRouteComponent(() => import('./pages/queue/page'), 'QueuePage');
const queue = createRoute({
  getParentRoute: () => inside,
  path: '/queue',
  validateSearch: only(...MESSAGE_FILTER, 'tab'),
  loaderDeps: ({ search }: { search: QueueSearch }) => ({ ...filterOf(search), cursor: search.cursor }),
  loader: ({ deps }) => void queryClient.query(ofMessages(deps)).catch(() => undefined),
  component: queuePage,
});
/** The drawer; the list and its filters stay. */
const message = createRoute({ getParentRoute: () => queue, path: '$messageId' });
const held = createRoute({
  getParentRoute: () => inside,
  path: '/held',
  component: () => <Navigate to="/queue" search={{ state: 'held' }} replace />,
});

const dead = createRoute({
  getParentRoute: () => inside,
  path: '/dead',
  validateSearch: only('transport', 'class', 'since'),
  component: lazyRouteComponent(() => import('./pages/dead/page'), 'DeadPage'),
});
const deadGroup = createRoute({ getParentRoute: () => dead, path: '$fingerprint' });

const inbox = createRoute({
  getParentRoute: () => inside,
  path: '/inbox',
  validateSearch: only('part', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/inbox/page'), 'InboxPage'),
});
const caught = createRoute({ getParentRoute: () => inbox, path: '$caughtId' });

const campaigns = createRoute({
  getParentRoute: () => inside,
  path: '/campaigns',
  validateSearch: only('state', 'q', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/campaigns/list'), 'CampaignsPage'),
});
const campaign = createRoute({
  getParentRoute: () => inside,
  path: '/campaigns/$campaignId',
  validateSearch: only('view', 'status', 'step', 'accountId', 'concern', 'q', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/campaigns/detail'), 'CampaignPage'),
});
const campaignPart = createRoute({ getParentRoute: () => campaign, path: '$part' });
const launch = createRoute({
  getParentRoute: () => inside,
  path: '/campaigns/$campaignId/launch/$step',
  validateSearch: only('q', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/campaigns/launch/page'), 'LaunchPage'),
});

const accounts = createRoute({
  getParentRoute: () => inside,
  path: '/accounts',
  validateSearch: only('tab', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/accounts/page'), 'AccountsPage'),
});
const account = createRoute({ getParentRoute: () => accounts, path: '$accountId' });

const limits = createRoute({
  getParentRoute: () => inside,
  path: '/limits',
  component: lazyRouteComponent(() => import('./pages/limits/page'), 'LimitsPage'),
});

const workers = createRoute({
  getParentRoute: () => inside,
  path: '/workers',
  validateSearch: only('range'),
  component: lazyRouteComponent(() => import('./pages/workers/page'), 'WorkersPage'),
});

const contacts = createRoute({
  getParentRoute: () => inside,
  path: '/contacts',
  validateSearch: only('q', 'importId', 'campaignId', 'reason', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/contacts/page'), 'ContactsPage'),
});
const contact = createRoute({ getParentRoute: () => contacts, path: '$contactId' });
const contactImport = createRoute({ getParentRoute: () => contacts, path: 'import/$importId' });

const sequences = createRoute({
  getParentRoute: () => inside,
  path: '/sequences',
  validateSearch: only('q', 'step', 'contactId', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/sequences/page'), 'SequencesPage'),
});
const sequence = createRoute({ getParentRoute: () => sequences, path: '$sequenceId' });

const events = createRoute({
  getParentRoute: () => inside,
  path: '/events',
  validateSearch: only('topic', 'type', 'q', 'cursor', 'tab'),
  component: lazyRouteComponent(() => import('./pages/events/page'), 'EventsPage'),
});
const event = createRoute({ getParentRoute: () => events, path: '$eventId' });

const subscriptions = createRoute({
  getParentRoute: () => inside,
  path: '/subscriptions',
  validateSearch: only('topic', 'status', 'q', 'cursor', 'tab'),
  component: lazyRouteComponent(() => import('./pages/subscriptions/page'), 'SubscriptionsPage'),
});
const subscription = createRoute({ getParentRoute: () => subscriptions, path: '$subscriptionId' });
const templates = createRoute({
  getParentRoute: () => inside,
  path: '/templates',
  validateSearch: only('version', 'locale', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/templates/page'), 'TemplatesPage'),
});
const template = createRoute({ getParentRoute: () => templates, path: '$templateId' });

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/page'), 'SettingsPage'),
});
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: () => <Navigate to="/settings/workspace" replace />,
});
const sections = [
  createRoute({
    getParentRoute: () => settings,
    path: 'workspace',
    component: lazyRouteComponent(() => import('./pages/settings/workspace'), 'WorkspaceSection'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'sending',
    component: lazyRouteComponent(() => import('./pages/settings/sending/page'), 'SendingSection'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'people',
    component: lazyRouteComponent(() => import('./pages/settings/people'), 'PeopleSection'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'keys',
    component: lazyRouteComponent(() => import('./pages/settings/keys'), 'KeysSection'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'suppressions',
    validateSearch: only('reason', 'q', 'since', 'cursor'),
    component: lazyRouteComponent(() => import('./pages/settings/suppressions/page'), 'SuppressionsSection'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'recipient-pages',
    validateSearch: only('locale'),
    component: lazyRouteComponent(
      () => import('./pages/settings/recipient-pages/page'),
      'RecipientPagesSection',
    ),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'audit',
    validateSearch: only('cursor'),
    component: lazyRouteComponent(() => import('./pages/settings/audit'), 'AuditSection'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'you',
    component: lazyRouteComponent(() => import('./pages/settings/you'), 'YouSection'),
  }),
] as const;

const tree = root.addChildren([
  login,
  invitation,
  inside.addChildren([
    overview,
    queue.addChildren([message]),
    held,
    dead.addChildren([deadGroup]),
    inbox.addChildren([caught]),
    campaigns,
    campaign.addChildren([campaignPart]),
    launch,
    accounts.addChildren([account]),
    limits,
    workers,
    contacts.addChildren([contact, contactImport]),
    sequences.addChildren([sequence]),
    events.addChildren([event]),
    subscriptions.addChildren([subscription]),
    templates.addChildren([template]),
    settings.addChildren([settingsStart, ...sections]),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  search: { strict: true },
  parseSearch,
  stringifySearch: searchText,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
