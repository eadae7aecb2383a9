// @ts-check

/**
 * The other end of `children.mjs`: plays the role it is told to.
 *
 * @typedef {import('./children.mjs').Message} Message
 * @typedef {{ tell: (message: Message) => void, heard: (kind: string) => Promise<Message> }} Parent
 */

const [, , role = '', args = '{}'] = process.argv;
/** @type {Message[]} */
const unheard = [];
/** @type {Map<string, (message: Message) => void>} */
const waiting = new Map();

process.on('message', (said) => {
  const message = /** @type {Message} */ (said);
  const next = waiting.get(message.kind);
  waiting.delete(message.kind);
  if (next) next(message);
  else unheard.push(message);
});
process.on('disconnect', () => process.exit(0));

/** @type {Parent} */
const parent = {
  tell: (message) => void process.send?.(message),
  heard: (kind) => {
    const place = unheard.findIndex((message) => message.kind === kind);
    if (place >= 0) return Promise.resolve(/** @type {Message} */ (unheard.splice(place, 1)[0]));
    return new Promise((resolve) => waiting.set(kind, resolve));
  },
};

const { act } = await import(`./roles/${role}.mjs`);
await act(JSON.parse(args), parent);
