import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { ApiError } from '../../api/client';
import { ofSubscription } from '../../api/notifications';
import type { Subscription } from '../../api/types';
import { Button } from '../../parts/button';
import { CopyButton } from '../../parts/copy';
import { DrawerFrame, DrawerHead, DrawerTabs, type DrawerWays } from '../../parts/drawer';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { counted } from '../../parts/number-words';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { MailList } from '../events/mails';
import { SubscriptionActions } from './actions';
import { SubscriptionHistory } from './history';
import { Preferences } from './preferences';
import { SubscriptionChip } from './state';

interface Props {
  readonly id: string;
  readonly tab: string | undefined;
  readonly onTab: (tab: string | undefined) => void;
  readonly ways: DrawerWays;
}

/** One person and one topic: whether he is told, and what happened so far. */
export function Drawer({ id, tab, onTab, ways }: Props) {
  const { data, error, refetch } = useQuery(ofSubscription(id));
  const heading = useId();
  return (
    <DrawerFrame id={id} label="Subscription" labelledBy={data ? heading : undefined}>
      {data ? (
        <Opened key={data.id} subscription={data} heading={heading} tab={tab} onTab={onTab} ways={ways} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Empty
          title="There is no such subscription here."
          actions={<Button onClick={ways.onClose}>Back to the list</Button>}
        >
          It may have been erased on request.
        </Empty>
      ) : error ? (
        <Failure error={error} what="this subscription" onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={6} />
      )}
    </DrawerFrame>
  );
}

interface OpenedProps extends Omit<Props, 'id'> {
  readonly subscription: Subscription;
  readonly heading: string;
}

function Opened({ subscription, heading, tab, onTab, ways }: OpenedProps) {
  const { id, plate, contactValue, topic, others } = subscription;
  return (
    <>
      <DrawerHead
        {...ways}
        id={id}
        headingId={heading}
        chip={<SubscriptionChip state={subscription.state} />}
        aside={
          <>
            <span className="truncate">
              <Untrusted text={topic} /> · <code className="text-[12px]">{id}</code>
            </span>
            <CopyButton text={id} name="the id" />
          </>
        }
        title={<Untrusted text={contactValue} />}
      >
        <p className="text-table wrap-anywhere text-ink-2">
          {subscription.name !== null && (
            <>
              <Untrusted text={subscription.name} />
              {' · '}
            </>
          )}
          {[languageOf(subscription.locale), subscription.timezone].filter(Boolean).join(', ')}
          {(subscription.locale ?? subscription.timezone) !== null && ' · '}
          subscribed <Time at={subscription.createdAt} label="Subscribed" />
          {others > 0 && (
            <>
              {' · '}
              <Link to="/subscriptions" search={{ q: contactValue }}>
                {counted(others, 'other topic')}
              </Link>
            </>
          )}
        </p>
      </DrawerHead>
      <div className="my-3">
        <SubscriptionActions subscription={subscription} />
      </div>
      <Plate
        small
        level={plate.level}
        sentence={visible(plate.sentence)}
        evidence={plate.evidence === undefined ? undefined : visible(plate.evidence)}
      />
      <Preferences subscription={subscription} />
      <DrawerTabs
        label="About this subscription"
        shown={tab}
        onShow={onTab}
        tabs={[
          { value: 'history', label: 'History', content: <SubscriptionHistory id={id} /> },
          {
            ...{ value: 'mails', label: 'Mails' },
            content: <MailList filter={{ subscriptionId: id }} none="No mail was made for it yet." />,
          },
          { value: 'json', label: 'JSON', content: <Json subscription={subscription} /> },
        ]}
      />
    </>
  );
}

const Json = ({ subscription }: { readonly subscription: Subscription }) => {
  const text = JSON.stringify(subscription, null, 2);
  return (
    <div className="rounded-panel border border-line bg-sunken px-3 py-2">
      <div className="flex items-center text-note text-ink-2">
        <span className="flex-1">As the API answers it</span>
        <CopyButton text={text} name="the JSON" />
      </div>
      <pre dir="ltr" className="text-[12px] leading-[17px] wrap-anywhere whitespace-pre-wrap">
        {visible(text, { lines: true })}
      </pre>
    </div>
  );
};

const languages = new Intl.DisplayNames('en', { type: 'language' });

function languageOf(locale: string | null): string {
  return locale === null ? '' : (languages.of(locale) ?? locale);
}
