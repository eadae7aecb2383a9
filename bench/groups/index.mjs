// @ts-check
import { admin } from './admin.mjs';
import { bulk } from './bulk.mjs';
import { calendar } from './calendar.mjs';
import { claimGrowth } from './claim-growth.mjs';
import { compose } from './compose.mjs';
import { drainPostgres, drainSqlite, drainTwo } from './drain.mjs';
import { enqueue } from './enqueue.mjs';
import { fanOut } from './fan-out.mjs';
import { fanOutBeside } from './fan-out-beside.mjs';
import { far } from './far.mjs';
import { guard } from './guard.mjs';
import { imports } from './import.mjs';
import { jobs } from './jobs.mjs';
import { latency } from './latency.mjs';
import { lists } from './lists.mjs';
import { memory } from './memory.mjs';
import { people } from './people.mjs';
import { plan } from './plan.mjs';
import { render } from './render.mjs';
import { relay, relayAlone } from './relay.mjs';
import { relayBeside } from './relay-beside.mjs';
import { simulate } from './simulate.mjs';
import { smtp } from './smtp.mjs';
import { smtpTls } from './smtp-tls.mjs';

/** @type {Record<import('../options.mjs').GroupName, import('./group.mjs').Group>} */
export const GROUPS = {
  drain: drainPostgres,
  'drain-2': drainTwo,
  'drain-sqlite': drainSqlite,
  enqueue,
  bulk,
  'claim-growth': claimGrowth,
  latency,
  memory,
  smtp,
  'smtp-tls': smtpTls,
  far,
  compose,
  render,
  lists,
  people,
  admin,
  calendar,
  guard,
  simulate,
  plan,
  import: imports,
  'fan-out': fanOut,
  'fan-out-beside': fanOutBeside,
  jobs,
  relay,
  'relay-alone': relayAlone,
  'relay-beside': relayBeside,
};
