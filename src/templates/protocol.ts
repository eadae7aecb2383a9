import type { Checked, Rendered, Scope, Setting, TemplateFault, TemplateSource } from './source.js';

/** What the pool and its thread tell each other. Templates and settings travel once and are then known by a key. */
export type ThreadJob =
  | { readonly source: string; readonly setting: string; readonly own: Scope }
  | { readonly check: TemplateSource };

export interface Batch {
  readonly id: number;
  /** Everything that was known so far is to be forgotten first. */
  readonly forget: boolean;
  readonly sources: readonly (readonly [string, TemplateSource])[];
  readonly settings: readonly (readonly [string, Setting])[];
  readonly jobs: readonly ThreadJob[];
}

/** `costly`: it took long to find out. `later`: not tried, because another mail of that template took too
 * long, or because the batch did. */
export type ThreadResult =
  | Rendered
  | { readonly fault: TemplateFault; readonly costly: boolean }
  | { readonly checked: Checked }
  | { readonly later: true };

export type ThreadSaid =
  { readonly ready: true } | { readonly id: number; readonly results: readonly ThreadResult[] };

export interface ThreadData {
  /** One number: at which job of its batch the thread is. */
  readonly progress: SharedArrayBuffer;
}
