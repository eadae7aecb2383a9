import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import type { Tx } from 'pillarbox';
import type { Place } from './posts.js';

/** An application with a connection of its own to the same database. */
export interface Caller {
  run(sql: string): Promise<void>;
  transaction(work: (tx: Tx) => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

export async function callerOf({ databaseUrl }: Place): Promise<Caller> {
  const { tx, run, end } = databaseUrl.startsWith('sqlite:')
    ? sqliteConnection(databaseUrl.slice('sqlite:'.length))
    : await postgresConnection(databaseUrl);
  return {
    run,
    transaction: async (work) => {
      await run(databaseUrl.startsWith('sqlite:') ? 'begin immediate' : 'begin');
      await work(tx);
      await run('commit');
    },
    end,
  };
}

interface Connection {
  readonly tx: Tx;
  readonly run: (sql: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

function sqliteConnection(path: string): Connection {
  const handle = new DatabaseSync(path);
  handle.exec('pragma busy_timeout = 5000');
  const settled = async (work: () => void) => {
    await Promise.resolve();
    work();
  };
  return {
    tx: handle,
    run: (sql) => settled(() => handle.exec(sql)),
    end: () => settled(() => handle.close()),
  };
}

async function postgresConnection(url: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    tx: client,
    run: async (sql) => {
      await client.query(sql);
    },
    end: () => client.end(),
  };
}
