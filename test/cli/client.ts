import type { Running } from './cli.js';

/** A service as a client on the same machine has it. */
export class Client {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  async call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; data: never; text: string }> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const data = isJson ? (JSON.parse(text) as { data?: never }).data : undefined;
    return { status: response.status, data: data as never, text };
  }
}

const urlIn = (said: string): string => /runs at (http:\/\/127\.0\.0\.1:\d+)/.exec(said)![1]!;
export const keyIn = (said: string): string => /^ {2}API key +(\S+)$/m.exec(said)![1]!;

export async function clientOf(running: Running, key?: string): Promise<Client> {
  const said = await running.said(/Ctrl-C/);
  return new Client(urlIn(said), key ?? keyIn(said));
}
