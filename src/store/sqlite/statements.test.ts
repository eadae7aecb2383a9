import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Statements } from './statements.js';

describe('prepared statements', () => {
  let db: InstanceType<typeof DatabaseSync>;
  let made: string[];
  let statements: Statements;

  beforeEach(() => {
    db = new DatabaseSync(':memory:');
    made = [];
    statements = new Statements((sql) => {
      made.push(sql);
      return db.prepare(sql);
    });
  });

  afterEach(() => {
    db.close();
  });

  const numbered = (n: number) => `select ${String(n)} as n`;
  const askMany = (count: number) => {
    for (let n = 1; n <= count; n += 1) statements.get(numbered(n)).all();
  };

  test('a text is made once, however often it is asked', () => {
    expect(statements.get(numbered(1))).toBe(statements.get(numbered(1)));
    expect(made).toHaveLength(1);
  });

  test('what is asked again and again stays; what was asked long ago is made anew', () => {
    const hot = 'select 0 as n';
    for (let n = 1; n <= 2_000; n += 1) {
      statements.get(numbered(n)).all();
      statements.get(hot).all();
    }
    expect(made.filter((sql) => sql === hot)).toHaveLength(1);
    statements.get(numbered(1)).all();
    expect(made.filter((sql) => sql === numbered(1))).toHaveLength(2);
    statements.get(numbered(2_000)).all();
    expect(made.filter((sql) => sql === numbered(2_000))).toHaveLength(1);
  });

  test('one that goes while somebody holds it still answers', () => {
    const held = statements.get('select 7 as n');
    askMany(2_000);
    expect(held.get()).toEqual({ n: 7 });
  });
});
