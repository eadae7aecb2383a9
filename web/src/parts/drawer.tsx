import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useEffect, useRef, type ReactNode } from 'react';
import { useShortcuts } from '../keys/keys';
import { Tip } from './tip';

export interface DrawerWays {
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly onClose: () => void;
}

interface FrameProps {
  readonly id: string;
  /** Of its heading, once there is one. */
  readonly labelledBy: string | undefined;
  readonly label: string;
  readonly children: ReactNode;
}

/** One thing beside its list; on a narrow screen, in its place. */
export function DrawerFrame({ id, labelledBy, label, children }: FrameProps) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    pane.current?.scrollTo({ top: 0 });
  }, [id]);
  return (
    <section
      ref={pane}
      role="region"
      {...(labelledBy === undefined ? { 'aria-label': label } : { 'aria-labelledby': labelledBy })}
      className="w-full shrink-0 animate-arrive overflow-x-hidden bg-surface px-5 pt-3 pb-6 max-sm:px-3.5 sm:overflow-y-auto lg:w-[520px] lg:border-l-2 lg:border-line lg:px-4 xl:w-[612px]"
    >
      {children}
    </section>
  );
}

interface HeadProps extends DrawerWays {
  readonly id: string;
  readonly headingId: string;
  /** Its state, glyph and word. */
  readonly chip: ReactNode;
  readonly aside: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
}

/** State, what it is, and the way on; the focus comes here with each of them. */
export function DrawerHead({ id, headingId, chip, aside, title, children, ...ways }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [id]);
  return (
    <div>
      <div className="flex items-center gap-1 text-note text-ink-2">
        <span className="mr-1.5 text-table text-ink">{chip}</span>
        <span className="flex min-w-0 flex-1 items-center truncate">{aside}</span>
        <IconButton words="Previous, k" onClick={ways.onPrevious}>
          <ChevronUp size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton words="Next, j" onClick={ways.onNext}>
          <ChevronDown size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton words="Close, Esc" onClick={ways.onClose}>
          <X size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
      <h2
        ref={heading}
        id={headingId}
        tabIndex={-1}
        className="mt-1 text-[17px] leading-6 font-[680] wrap-anywhere outline-none"
      >
        {title}
      </h2>
      {children}
    </div>
  );
}

function IconButton({
  words,
  onClick,
  children,
}: {
  readonly words: string;
  readonly onClick: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Tip text={words}>
      <button
        type="button"
        aria-label={words.split(',')[0]}
        aria-disabled={onClick === undefined || undefined}
        onClick={onClick}
        className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-hover hover:text-ink aria-disabled:opacity-40 coarse:size-11"
      >
        {children}
      </button>
    </Tip>
  );
}

export interface DrawerTab {
  readonly value: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly [DrawerTab, ...DrawerTab[]];
  readonly shown: string | undefined;
  /** Undefined: the first. */
  readonly onShow: (tab: string | undefined) => void;
}

/** By their numbers, too. */
export function DrawerTabs({ label, tabs, shown, onShow }: TabsProps) {
  const [first] = tabs;
  const present = tabs.find(({ value }) => value === shown)?.value ?? first.value;
  const show = (value: string) => onShow(value === first.value ? undefined : value);
  useShortcuts(
    tabs.map((tab, n) => ({
      keys: String(n + 1),
      does: `show ${tab.label.toLowerCase()}`,
      run: () => show(tab.value),
    })),
  );
  return (
    <Tabs.Root value={present} onValueChange={show} className="mt-3">
      <Tabs.List
        aria-label={label}
        className="-mx-4 flex flex-wrap border-b border-line px-3 max-sm:-mx-3.5 max-sm:px-2"
      >
        {tabs.map(({ value, label: words }) => (
          <Tabs.Trigger
            key={value}
            value={value}
            className="-mb-px min-h-9 border-b-2 border-transparent px-2.5 text-table text-ink-2 hover:text-ink data-[state=active]:border-primary data-[state=active]:font-bold data-[state=active]:text-ink coarse:min-h-11"
          >
            {words}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ value, content }) => (
        <Tabs.Content key={value} value={value} className="pt-3 outline-none">
          {content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
