import fastify from 'fastify';
import { expect, test } from 'vitest';
import { watchAnswers } from './as-documented.js';

/** What is noted of one answer of `/healthz`. */
async function notedOf(status: number, answer: object): Promise<readonly string[]> {
  const app = fastify();
  app.get('/healthz', (_request, reply) => reply.code(status).send(answer));
  const surprises = watchAnswers(app);
  await app.inject('/healthz');
  await app.close();
  return surprises;
}

const refusal = (code: string) => ({ success: false, error: { code, message: 'no' } });

test('what is answered as documented is nothing to note', async () => {
  expect(await notedOf(200, { success: true, data: { status: 'up' } })).toEqual([]);
  expect(await notedOf(400, refusal('invalid_input'))).toEqual([]);
});

test.each([
  ['a field that no shape names', 200, { success: true, data: { status: 'up', secret: 's3cret' } }],
  ['a field that is missing', 200, { success: true, data: {} }],
  ['a word that is none', 200, { success: true, data: { status: 'down' } }],
  ['a status that is not told of', 202, { success: true, data: { status: 'up' } }],
  ['a code of another status', 400, refusal('internal')],
  ['a code that the route does not tell of', 409, refusal('conflict')],
])('%s is noted', async (_, status, answer) => {
  expect(await notedOf(status, answer)).toHaveLength(1);
});
