import { expect, test } from 'vitest';
import { writeForm } from './form.js';

/** Read by the platform, which wrote none of it. */
function read({ type, bytes }: ReturnType<typeof writeForm>): Promise<FormData> {
  const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- not meant for what strangers send; this is ours
  return response.formData();
}

test('a form is read as it was meant', async () => {
  const file = {
    field: 'files',
    name: 'Größe "1".txt',
    type: 'text/plain',
    bytes: Buffer.from([0, 255, 13, 10]),
  };
  const form = await read(
    writeForm({ fields: { a: 'x\r\n--y', b: '', c: undefined }, files: [file] }, 'seed'),
  );
  expect([...form.keys()]).toEqual(['a', 'b', 'files']);
  expect(form.get('a')).toBe('x\r\n--y');
  const taken = form.get('files') as File;
  expect([taken.name, taken.type]).toEqual(['Größe "1".txt', 'text/plain']);
  expect(Buffer.from(await taken.arrayBuffer())).toEqual(file.bytes);
});

test('it is the same bytes again, and types keep their case', () => {
  const file = { field: 'f', name: 'i.ics', type: 'text/calendar; method=REQUEST', bytes: Buffer.from('x') };
  const form = { fields: { a: '1' }, files: [file] };
  expect(writeForm(form, 'seed')).toEqual(writeForm(form, 'seed'));
  expect(writeForm(form, 'seed').bytes.toString()).toContain(
    'Content-Type: text/calendar; method=REQUEST\r\n',
  );
  expect(writeForm(form, 'other').type).not.toBe(writeForm(form, 'seed').type);
});

test('nobody can add a field by guessing the boundary', async () => {
  const [, boundary] = /boundary=(.*)/.exec(writeForm({ fields: {} }, 'seed').type)!;
  const evil = `x\r\n--${boundary!}\r\nContent-Disposition: form-data; name="account_id"\r\n\r\nother`;
  const form = await read(writeForm({ fields: { account_id: 'own', body: evil } }, 'seed'));
  expect(form.getAll('account_id')).toEqual(['own']);
  expect(form.get('body')).toBe(evil);
});
