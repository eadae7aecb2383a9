// @ts-check
import { readFileSync } from 'node:fs';

/** What Linux counts a process's time in. */
const TICK_MICROSECONDS = 10_000;

/**
 * What the database's processors have done for others so far, in µs: PostgreSQL's back ends of this database, or for
 * SQLite this process. Only differences mean something, and only while nobody connects or leaves.
 *
 * @param {import('./database.mjs').Database} db
 */
export async function databaseCpu(db) {
  if (db.dialect === 'sqlite') {
    const { user, system } = process.cpuUsage();
    return user + system;
  }
  const backEnds = await db.query(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return backEnds.reduce((sum, { pid }) => sum + processCpu(Number(pid)), 0);
}

/** @param {number} pid */
function processCpu(pid) {
  // Behind the name, which may hold anything: state is the first field, user and system time the 12th and 13th.
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
}
