import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { useId, useRef, useEffect } from 'react';
import { ApiError } from '../../../api/client';
import { ofMessage } from '../../../api/queries';
import type { MessageDetail } from '../../../api/types';
import { useShortcuts } from '../../../keys/keys';
import { Button } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { Failure } from '../../../parts/failure';
import { usePhone } from '../../../parts/media';
import { Actions } from './actions';
import { Head } from './head';
import { History } from './history-list';
import { PhoneBody } from './phone-body';
import { Preview } from './preview';
import { RetryTrack } from './retry-track';
import { Headers, Json, Raw } from './source';
import { Timeline } from './timeline';
import { Why } from './why';

const TABS = [
  { value: 'attempts', label: 'Attempts and preview' },
  { value: 'headers', label: 'Headers' },
  { value: 'raw', label: 'Raw' },
  { value: 'json', label: 'JSON' },
  { value: 'history', label: 'History' },
] as const;

export interface DrawerProps {
  readonly id: string;
  readonly tab: string | undefined;
  readonly accountNames: ReadonlyMap<string, string>;
  readonly onTab: (tab: string | undefined) => void;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly onClose: () => void;
}

/** One message beside its list; on a narrow screen, in its place. */
export function Drawer(props: DrawerProps) {
  const { id, onClose } = props;
  const { data, error, refetch } = useQuery(ofMessage(id));
  const heading = useId();
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    pane.current?.scrollTo({ top: 0 });
  }, [id]);
  return (
    <section
      ref={pane}
      role="region"
      {...(data ? { 'aria-labelledby': heading } : { 'aria-label': 'Message' })}
      className="w-full shrink-0 animate-arrive overflow-x-hidden bg-surface px-5 pt-3 pb-6 max-sm:px-3.5 sm:overflow-y-auto lg:w-[520px] lg:border-l-2 lg:border-line lg:px-4 xl:w-[612px]"
    >
      {data ? (
        <Opened key={data.id} {...props} message={data} heading={heading} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Empty
          title="There is no such message here."
          actions={<Button onClick={onClose}>Back to the list</Button>}
        />
      ) : (
        error && <Failure error={error} what="this message" onRetry={() => void refetch()} />
      )}
    </section>
  );
}

function Opened(props: DrawerProps & { readonly message: MessageDetail; readonly heading: string }) {
  const { message, accountNames } = props;
  const phone = usePhone();
  return (
    <>
      <Head
        message={message}
        accountName={accountNames.get(message.accountId)}
        headingId={props.heading}
        onPrevious={props.onPrevious}
        onNext={props.onNext}
        onClose={props.onClose}
      />
      {phone ? <PhoneBody message={message} /> : <Body {...props} />}
    </>
  );
}

function Body({ message, tab, onTab }: DrawerProps & { readonly message: MessageDetail }) {
  const shown = TABS.find(({ value }) => value === tab)?.value ?? 'attempts';
  const show = (value: string) => onTab(value === 'attempts' ? undefined : value);
  useShortcuts(
    TABS.map(({ value, label }, n) => ({
      keys: String(n + 1),
      does: `show ${label.toLowerCase()}`,
      run: () => show(value),
    })),
  );
  return (
    <>
      <div className="mt-3 mb-3">
        <Actions message={message} />
      </div>
      <Why message={message} />
      <RetryTrack message={message} />
      <Tabs.Root value={shown} onValueChange={show} className="mt-3">
        <Tabs.List aria-label="About this message" className="-mx-4 flex flex-wrap border-b border-line px-3">
          {TABS.map(({ value, label }) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className="-mb-px min-h-9 border-b-2 border-transparent px-2.5 text-table text-ink-2 hover:text-ink data-[state=active]:border-primary data-[state=active]:font-bold data-[state=active]:text-ink coarse:min-h-11"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="attempts" className="pt-4 outline-none">
          <Timeline message={message} />
          <div className="mt-4">
            <Preview id={message.id} />
          </div>
        </Tabs.Content>
        <Tabs.Content value="headers" className="pt-4">
          <Headers id={message.id} />
        </Tabs.Content>
        <Tabs.Content value="raw" className="pt-4">
          <Raw id={message.id} />
        </Tabs.Content>
        <Tabs.Content value="json" className="pt-4">
          <Json message={message} />
        </Tabs.Content>
        <Tabs.Content value="history" className="pt-2">
          <History message={message} />
        </Tabs.Content>
      </Tabs.Root>
    </>
  );
}
