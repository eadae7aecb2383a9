import { describe, expect, test } from 'vitest';
import type { Simulation } from '../core/simulation.js';
import { tellSimulation } from './simulate.js';
import { chartOf } from './simulation-chart.js';
import { within } from './surroundings.js';

const day = (date: string, sent: number, others = 0) => ({
  ...{ date, accountId: 'acc_1', sent, others, quota: 20 },
});

const SIMULATION: Simulation = {
  ...{ startedAt: 0, until: 86_400_000, sent: 21, waiting: 0, ended: 0, endsAt: 3_600_000, warnings: [] },
  days: [day('1970-01-01', 21)],
  accounts: [{ accountId: 'acc_1', name: 'hello', sent: 21, others: 0, use: 1.05 }],
  violations: [{ kind: 'day', accountId: 'acc_1', when: '1970-01-01', sentence: '21 email of at most 20.' }],
};

/** What is said, and the exit code. */
async function told(simulation: Simulation, json: boolean): Promise<[number, string]> {
  let said = '';
  const write = (text: string | Uint8Array) => (said += String(text));
  const around = { env: {}, stdin: process.stdin, stdout: { write }, stderr: { write } };
  const code = await within(around, () => {
    tellSimulation(simulation, { json });
    return Promise.resolve();
  });
  return [code, said];
}

describe('a simulation in a terminal', () => {
  test('shows a bar a day: what leaves, what else does, and what could', () => {
    const days = [day('2026-11-16', 20), day('2026-11-17', 5, 10), day('2026-11-18', 0, 1)];
    expect(chartOf(days, 54, true)).toEqual([
      '2026-11-16  ████████████████████  20 of 20',
      '2026-11-17  █████▒▒▒▒▒▒▒▒▒▒░░░░░  5 + 10 of 20',
      '2026-11-18  ▒░░░░░░░░░░░░░░░░░░░  0 + 1 of 20',
    ]);
    expect(chartOf(days.slice(1, 2), 54, false)).toEqual(['2026-11-17  #####==========.....  5 + 10 of 20']);
  });

  test('ends with 3 where a limit is broken, and says which, in either form', async () => {
    const [code, text] = await told(SIMULATION, false);
    expect(code).toBe(3);
    expect(text).toContain('21 messages would leave, the last on 1970-01-01 at 01:00 UTC. 1 violation.');
    expect(text).toMatch(/^day +acc_1 +1970-01-01 +21 email of at most 20\.$/m);
    const [same, document] = await told(SIMULATION, true);
    expect(same).toBe(3);
    expect(JSON.parse(document)).toMatchObject({ violations: SIMULATION.violations });
    expect((await told({ ...SIMULATION, violations: [] }, true))[0]).toBe(0);
  });
});
