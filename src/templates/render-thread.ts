import { parentPort, workerData } from 'node:worker_threads';
import { checkTemplate } from './check.js';
import { frameOf, renderFrame, type Frame } from './frames.js';
import { parseTemplate, type ParsedTemplate } from './parsed.js';
import type { Batch, ThreadData, ThreadJob, ThreadResult, ThreadSaid } from './protocol.js';
import { isFault, type Setting, type TemplateSource } from './source.js';

/**
 * A thread that only renders. It imports nothing that holds anything outside of its own memory, so it can be ended at
 * any moment, in the middle of any template.
 */
const progress = new Int32Array((workerData as ThreadData).progress);
const sources = new Map<string, TemplateSource>();
const settings = new Map<string, Setting>();
const parsed = new Map<string, ParsedTemplate>();
const frames = new Map<string, Frame>();
/** A thousand times what a mail takes. */
const COSTLY_MS = 100;
/** A batch that takes longer is another's turn first; most take a tenth of it. */
const TURN_MS = 100;
const say = (said: ThreadSaid) => parentPort?.postMessage(said);

parentPort?.on('message', (batch: Batch) => {
  if (batch.forget) for (const known of [sources, settings, parsed, frames]) known.clear();
  for (const [key, source] of batch.sources) sources.set(key, source);
  for (const [key, setting] of batch.settings) settings.set(key, setting);
  const until = performance.now() + TURN_MS;
  // Of one template not all have to meet its limit: the first is judged before the others are tried.
  const slow = new Set<string>();
  const results = batch.jobs.map((job, index): ThreadResult => {
    Atomics.store(progress, 0, index);
    // The first of them always is: however slow, it goes on.
    if (index > 0 && performance.now() > until) return { later: true };
    if ('check' in job) return look(job.check);
    if (slow.has(job.source)) return { later: true };
    const begun = performance.now();
    const rendered = renderFrame(frameFor(job), job.own);
    if (!isFault(rendered)) return rendered;
    const costly = performance.now() - begun > COSTLY_MS;
    if (costly || rendered.fault.code === 'template_too_slow') slow.add(job.source);
    return { ...rendered, costly };
  });
  say({ id: batch.id, results });
});

/** What met a limit is not judged by one look. */
function look(source: TemplateSource): ThreadResult {
  const checked = checkTemplate(source);
  const fault = checked.faults.find(({ code }) => code === 'template_too_slow');
  return fault ? { fault } : { checked };
}

/** Read and begun with the first mail that needs it: if that takes too long, it is that mail's matter. */
function frameFor({ source, setting }: Exclude<ThreadJob, { check: unknown }>): Frame {
  const key = `${source} ${setting}`;
  let frame = frames.get(key);
  if (!frame) {
    frame = frameOf(templateFor(source), known(settings, setting));
    frames.set(key, frame);
  }
  return frame;
}

function templateFor(key: string): ParsedTemplate {
  let template = parsed.get(key);
  if (!template) {
    template = parseTemplate(known(sources, key));
    parsed.set(key, template);
  }
  return template;
}

function known<T>(all: ReadonlyMap<string, T>, key: string): T {
  const value = all.get(key);
  if (value === undefined) throw new Error('a template that was never told of');
  return value;
}

/** The first of its kind takes a hundred times as long as those after it: that is nobody's matter but ours. */
checkTemplate({ subject: '{{ a }}', html: '<p>{% if a %}{{ a | upcase }}{% endif %}</p>' });
renderFrame(
  frameOf(parseTemplate({ html: '<p>{{ a }}</p>' }), { variables: {}, locale: 'en', timezone: 'UTC' }),
  { a: 1 },
);
say({ ready: true });
