import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { repeatedKey } from '../core/repeated-key.js';
import { forPeople } from '../core/text.js';
import { invalidInput } from '../core/errors.js';
import { limitsOf } from './limits.js';
import type { Service } from './service.js';
import { FORM, isFramed } from './where.js';

/** For how long the rest of a body that was refused may run into nothing. */
const LINGER_MS = 5_000;

type Done<T> = (error: Error | null, value?: T) => void;

interface BodyLimits {
  readonly bytes: number;
  /** Undefined: as long as a whole request may take. */
  readonly ms?: number;
}

/** An empty body is none: a POST that only says "do it" needs no braces. */
export function readJson(app: FastifyInstance, service: Service): void {
  const { strangersBodyBytes: bytes, strangersBodyMs: ms } = limitsOf(service.limits);
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', (request, payload, done) => {
    if (!takes(request, 'application/json')) return refuse(payload, done);
    const { bodyLimit } = request.routeOptions;
    const limits = request.admitted ? { bytes: bodyLimit } : { bytes: Math.min(bodyLimit, bytes), ms };
    read(request, payload, limits, (error, text = '') => {
      if (error) return done(error);
      if (text === '') return done(null, undefined);
      void parse(request, text, (fault, body) => done(fault ?? ambiguity(text, body), body));
    });
  });
}

/** What a file that is on its way takes of the memory that there is, however large it is. */
const FILE_BYTES = 8 * 1024 * 1024;

/** Whoever takes a file reads it as it comes. */
export function readCsv(app: FastifyInstance): void {
  app.addContentTypeParser('text/csv', (request, payload, done) => {
    if (!takes(request, 'text/csv')) return refuse(payload, done);
    const { bodyLimit } = request.routeOptions;
    try {
      if (Number(request.headers['content-length']) > bodyLimit) throw tooLarge();
      request.write?.grow(FILE_BYTES);
    } catch (error) {
      linger(payload);
      return done(error as Error);
    }
    request.file = limited(payload, bodyLimit);
    done(null, undefined);
  });
}

/** A form that is shown in a frame: what it says is JSON in its one field, and is checked like any other. */
export function readFrameForms(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(FORM, (request, payload, done) => {
    if (!isFramed(request)) return refuse(payload, done);
    read(request, payload, { bytes: request.routeOptions.bodyLimit }, (error, text = '') => {
      if (error) return done(error);
      const json = new URLSearchParams(text).get('json') ?? '';
      if (json === '') return done(invalidInput('json', 'is missing: the form has this one field'));
      void parse(request, json, (fault, body) => done(fault ?? ambiguity(json, body), body));
    });
  });
}

/** What comes to no route at all is read as JSON, as far as that goes. */
const takes = ({ routeOptions }: FastifyRequest, type: string): boolean =>
  (routeOptions.config.takes ?? 'application/json') === type;

function refuse(payload: IncomingMessage, done: Done<undefined>): void {
  linger(payload);
  done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
}

/** Whatever becomes of it, the rest runs into nothing for a while. */
async function* limited(payload: IncomingMessage, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > most) throw tooLarge();
      yield chunk as Buffer;
    }
  } catch (error) {
    // Nobody is there any more to be told, and it is no fault of ours.
    if (payload.destroyed && !payload.complete)
      throw Object.assign(new Error('hung up'), { statusCode: 400 });
    throw error;
  } finally {
    if (!payload.readableEnded) linger(payload);
  }
}

/** For forms of strangers, whatever encoding they have: their text, as it is. Holds for the routes of this instance. */
export function readForms(app: FastifyInstance, service: Service): void {
  const { strangersBodyBytes: bytes, strangersBodyMs: ms } = limitsOf(service.limits);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => read(request, payload, { bytes, ms }, done));
}

/** Of what is JSON, but may mean one thing to us and another to whoever looked at it before. */
function ambiguity(text: string, body: unknown): Error | null {
  if (text.startsWith('\ufeff')) return invalidInput('body', 'begins with a byte order mark; leave it out');
  const key = repeatedKey(text, body);
  return key === undefined
    ? null
    : invalidInput(forPeople(key, 100) || 'body', 'is given twice in one object');
}

/**
 * The whole of a body, counted as it comes: what is announced is only a word. At the first byte that is too many, of
 * this body or of all together, nothing of it is kept any more.
 */
function read(
  { headers, write }: FastifyRequest,
  payload: IncomingMessage,
  limits: BodyLimits,
  done: Done<string>,
): void {
  const announced = Number(headers['content-length']) || limits.bytes;
  // One piece that grows: a body that comes letter by letter would otherwise cost hundreds of times its size.
  let kept = Buffer.alloc(0);
  let bytes = 0;
  const patience = limits.ms === undefined ? undefined : setTimeout(() => end(tooSlow()), limits.ms);
  payload.on('data', take).once('end', end).once('error', end);
  if (announced > limits.bytes) end(tooLarge());

  function take(chunk: Buffer): void {
    const sum = bytes + chunk.length;
    if (sum > limits.bytes) return end(tooLarge());
    if (sum > kept.length) {
      const size = Math.max(sum, Math.min(kept.length * 2, announced));
      try {
        write?.grow(size - kept.length);
      } catch (error) {
        return end(error as Error);
      }
      const larger = Buffer.allocUnsafeSlow(size);
      kept.copy(larger, 0, 0, bytes);
      kept = larger;
    }
    chunk.copy(kept, bytes);
    bytes = sum;
  }

  function end(error?: Error): void {
    clearTimeout(patience);
    payload.off('data', take).off('end', end).off('error', end);
    if (!error) return done(null, kept.toString('utf8', 0, bytes));
    kept = Buffer.alloc(0);
    linger(payload);
    done(error);
  }
}

/**
 * Hung up on in the middle of a body, most would never see why. So the rest of it runs into nothing for a while, and
 * whoever ends it can go on; what befalls it then is nobody's matter.
 */
function linger(payload: IncomingMessage): void {
  const hangUp = setTimeout(() => payload.destroy(), LINGER_MS).unref();
  const isOver = () => clearTimeout(hangUp);
  payload.once('end', isOver).once('close', isOver);
  payload.on('error', () => undefined).resume();
}

const tooLarge = (): Error => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
const tooSlow = (): Error => Object.assign(new Error('the body took too long'), { statusCode: 408 });
