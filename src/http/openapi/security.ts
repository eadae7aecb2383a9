import { changesNothing } from '../admission.js';
import { SESSION_COOKIES } from '../cookie.js';
import type { Route } from '../route.js';

/** What somebody can show, as `admission.ts` looks for it. */
export const SECURITY_SCHEMES = {
  key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIES.secure,
    description: `The cookie of a person who has logged in. Without TLS it is called ${SESSION_COOKIES.plain}.`,
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description:
      'Beside the cookie, for everything that changes something: the token that the log-in answers.',
  },
  cron: { type: 'http', scheme: 'bearer', description: 'What CRON_SECRET is set to.' },
  invitation: { type: 'http', scheme: 'bearer', description: 'The token of an open invitation.' },
} as const;

type Requirement = Readonly<Partial<Record<keyof typeof SECURITY_SCHEMES, readonly []>>>;

/** Each of these is enough; none at all: whoever asks is answered. */
export function securityOf({ rule, method }: Pick<Route, 'rule' | 'method'>): readonly Requirement[] {
  const person: Requirement = changesNothing(method) ? { session: [] } : { session: [], csrf: [] };
  switch (rule) {
    case 'anyone':
      return [];
    case 'cron':
      return [{ cron: [] }];
    case 'invited':
      return [{ invitation: [] }];
    case 'person':
      return [person];
    default:
      return [{ key: [] }, person];
  }
}
