import type { Template } from 'liquidjs';
import { ENGINES } from './language.js';
import type { ParsedPart, ParsedTemplate } from './parsed.js';
import { finished, globalsOf, renderNodes, renderWhole } from './render.js';
import type { Part, Rendered, Scope, Setting, TemplateFault } from './source.js';

/** A stretch of a part: said already, or to be rendered for every mail. */
type Run = string | Template[];

/**
 * A template whose fixed stretches have been rendered once, for all mails of one setting. Of the nodes at the top of a
 * part those are fixed that read nothing but what the setting knows; the others are rendered for each mail, by the same
 * engine and in the same order. A part whose nodes depend on one another is rendered whole.
 */
export interface Frame {
  readonly template: ParsedTemplate;
  readonly setting: Setting;
  readonly globals: object;
  /** Undefined: a fixed stretch can't be rendered. Then no mail can be, and which fault it is each finds by itself. */
  readonly runs: ReadonlyMap<Part, readonly Run[]> | undefined;
}

export function frameOf(template: ParsedTemplate, setting: Setting): Frame {
  const globals = globalsOf(setting);
  const runs = new Map<Part, readonly Run[]>();
  for (const [part, parsed] of template.parts) {
    const rendered = runsOf(part, parsed, setting.variables, globals);
    if (rendered === undefined) return { template, setting, globals, runs: undefined };
    runs.set(part, rendered);
  }
  return { template, setting, globals, runs };
}

export function renderFrame({ template, setting, globals, runs }: Frame, own: Scope): Rendered {
  const { variables } = setting;
  const isOverridden = Object.keys(own).some(
    (name) => Object.hasOwn(variables, name) || Object.hasOwn(globals, name),
  );
  if (runs === undefined || isOverridden || template.faults.length > 0)
    return renderWhole(template, setting, own);
  const scope = { ...variables, ...own };
  const mail: Partial<Record<Part, string>> = {};
  for (const [part, stretches] of runs) {
    let text = '';
    for (const run of stretches) {
      const rendered: string | TemplateFault =
        typeof run === 'string' ? run : renderNodes(part, run, scope, globals);
      if (typeof rendered !== 'string') return { fault: rendered };
      text += rendered;
    }
    mail[part] = text;
  }
  return finished(mail, template.madeText !== undefined);
}

function runsOf(
  part: Part,
  { nodes, isJoined }: ParsedPart,
  variables: Scope,
  globals: object,
): readonly Run[] | undefined {
  if (isJoined) return [nodes];
  const isKnown = (name: unknown) =>
    typeof name === 'string' && (Object.hasOwn(variables, name) || Object.hasOwn(globals, name));
  const runs: { isLive: boolean; nodes: Template[] }[] = [];
  for (const node of nodes) {
    const isLive = !ENGINES[part].globalVariableSegmentsSync([node]).every(([first]) => isKnown(first));
    const last = runs.at(-1);
    if (last?.isLive === isLive) last.nodes.push(node);
    else runs.push({ isLive, nodes: [node] });
  }
  const stretches: Run[] = [];
  for (const { isLive, nodes: stretch } of runs) {
    const run = isLive ? stretch : renderNodes(part, stretch, variables, globals);
    if (typeof run !== 'string' && !Array.isArray(run)) return undefined;
    stretches.push(run);
  }
  return stretches;
}
