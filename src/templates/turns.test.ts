import { describe, expect, test } from 'vitest';
import { Turns } from './turns.js';

describe('turns', () => {
  const stage = (most: number) => {
    const turns = new Turns(most);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (workspaceId: number, name: string) =>
      turns.run(workspaceId, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const end = async (name: string) => {
      ends.get(name)!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { begun, ask, end };
  };

  test('are one of each workspace at a time, and nobody waits behind another who asks for much', async () => {
    const { begun, ask, end } = stage(2);
    const all = [ask(1, 'a1'), ask(1, 'a2'), ask(2, 'b1'), ask(2, 'b2'), ask(3, 'c1')];
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('c1');
    await end('b1');
    for (const name of ['a2', 'b2']) await end(name);
    await Promise.all(all);
    expect([...begun].sort()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
  });

  test('are refused when much of a workspace waits already, and go on after a failure', async () => {
    const { begun, ask, end } = stage(1);
    const turns = new Turns(1);
    await expect(turns.run(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run(1, () => Promise.resolve('yes'))).toBe('yes');
    const waiting = Array.from({ length: 9 }, (_, n) => ask(1, `a${n}`));
    await expect(ask(1, 'too many')).rejects.toMatchObject({ code: 'busy' });
    const other = ask(2, 'b');
    await end('a0');
    expect(begun).toEqual(['a0', 'b']);
    await end('b');
    for (let n = 1; n < 9; n += 1) await end(`a${n}`);
    await Promise.all([...waiting, other]);
  });
});
