/** As much of it as is used; it comes without types of its own. */
declare module 'html-to-text' {
  interface BlockTextBuilder {
    openBlock(options?: { leadingLineBreaks?: number }): void;
    closeBlock(options?: { trailingLineBreaks?: number }): void;
    addInline(text: string): void;
  }
  interface Element {
    readonly children?: readonly unknown[];
  }
  export type Formatter = (
    element: Element,
    walk: (children: readonly unknown[] | undefined, builder: BlockTextBuilder) => void,
    builder: BlockTextBuilder,
  ) => void;
  interface Selector {
    readonly selector: string;
    readonly format?: string;
    readonly options?: object;
  }
  export function convert(
    html: string,
    options: {
      readonly wordwrap: false;
      readonly formatters: Readonly<Record<string, Formatter>>;
      readonly selectors: readonly Selector[];
      readonly limits: { readonly maxInputLength: number; readonly maxDepth: number };
    },
  ): string;
}
