import pg from 'pg';
import { createPillarbox, type Pillarbox } from 'pillarbox';

interface Post {
  readonly pool: pg.Pool;
  readonly box: Promise<Pillarbox>;
}

/** Modules are loaded again and again in development; what holds connections must outlive them. */
const kept = globalThis as typeof globalThis & { post?: Post | undefined };

/** One pool and one Pillarbox a process, made when first needed. It has no worker: the cron route sends. */
export function thePost(): Post {
  if (kept.post) return kept.post;
  const databaseUrl = setting('DATABASE_URL');
  const box = createPillarbox({
    databaseUrl,
    smtpUrl: setting('SMTP_URL'),
    from: setting('MAIL_FROM'),
    // A function may be frozen at any time. What it had in hand is taken over soon after.
    leaseSeconds: 30,
  });
  kept.post = { pool: new pg.Pool({ connectionString: databaseUrl }), box };
  // Without a database there is no Pillarbox; the next request tries again.
  box.catch(() => {
    kept.post = undefined;
  });
  return kept.post;
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
