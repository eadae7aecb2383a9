import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ofCalendar } from '../../api/campaigns';
import type { CampaignCalendar, CampaignDetail } from '../../api/types';
import { UseBar } from '../../parts/charts/use-bar';
import { Failure } from '../../parts/failure';
import { usePhone } from '../../parts/media';
import { counted, numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { useFromNow } from '../../time/clock';
import { dateWords } from '../../time/dates';
import { useZone } from '../../time/zone';
import { useAccounts } from './account-names';
import { gridOf, MOST_COLUMNS, spanOf } from './calendar-grid';
import { CalendarTable } from './calendar-table';
import { dateIn } from './date-in';
import { HeatMap } from './heat-map';
import { Simulate } from './simulate';

const VIEWS = ['days', 'weeks', 'table'] as const;
type View = (typeof VIEWS)[number];

/** What left and what is to come, by account and day; beside it what was planned at the launch. */
export function Calendar({ campaign }: { readonly campaign: CampaignDetail }) {
  const { data, error, refetch } = useQuery(ofCalendar(campaign.id));
  const zone = useZone();
  const today = useFromNow((now) => dateIn(zone, now));
  const { view: asked } = useSearch({ strict: false });
  const phone = usePhone();
  if (error && !data) return <Failure error={error} what="the calendar" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={4} />;
  if (campaign.state === 'draft')
    return (
      <Panel title="Calendar">
        <p className="px-3.5 py-4 text-table">
          Nothing is planned yet.{' '}
          <Link
            to="/campaigns/$campaignId/launch/$step"
            params={{ campaignId: campaign.id, step: 'dry-run' }}
          >
            The dry run
          </Link>{' '}
          shows what would leave when.
        </p>
      </Panel>
    );
  const long = spanOf(data.days) > MOST_COLUMNS;
  const view = VIEWS.find((each) => each === asked) ?? (long ? 'weeks' : 'days');
  if (phone && asked === undefined)
    return <TodayByAccount campaign={campaign} days={data.days} today={today} />;
  return (
    <>
      <Panel
        title="Calendar"
        note={`mails by account and local day, ${zone}`}
        aside={
          <>
            <Legend />
            <Views id={campaign.id} view={view} views={long ? ['weeks', 'table'] : VIEWS} />
          </>
        }
      >
        {data.days.length === 0 ? (
          <p className="px-3.5 py-4 text-table text-ink-2">Nothing is planned.</p>
        ) : view === 'table' ? (
          <CalendarTable days={data.days} />
        ) : (
          <HeatMap campaign={campaign} grid={gridOf(data.days, today, view)} by={view} />
        )}
      </Panel>
      {campaign.state === 'running' && (
        <Simulate
          id={campaign.id}
          planned={data.days.map(({ date, planned }) => ({ date, count: planned }))}
        />
      )}
    </>
  );
}

const Views = ({
  id,
  view,
  views,
}: {
  readonly id: string;
  readonly view: View;
  readonly views: readonly View[];
}) => (
  <nav
    aria-label="Calendar as"
    className="flex overflow-hidden rounded-control border border-line-strong text-table"
  >
    {views.map((each) => (
      <Link
        key={each}
        to="/campaigns/$campaignId"
        params={{ campaignId: id }}
        search={{ view: each }}
        replace
        aria-current={view === each ? 'true' : undefined}
        activeOptions={{ exact: true, includeSearch: true }}
        className="flex min-h-7 items-center px-2.5 text-ink no-underline first-letter:uppercase aria-[current]:bg-primary aria-[current]:font-bold aria-[current]:text-on-primary coarse:min-h-11"
      >
        {`${each.charAt(0).toUpperCase()}${each.slice(1)}`}
      </Link>
    ))}
  </nav>
);

const Legend = () => (
  <span aria-hidden className="flex items-center gap-1.5 text-note text-ink-2 max-lg:hidden">
    <span className="size-3 rounded-[2px] bg-(--heat-4)" /> sent
    <span className="ml-1.5 size-3 rounded-[2px] border border-(--heat-3)" /> planned
    <span className="ml-1.5 size-3 rounded-[2px] border-2 border-ink" /> today
    <span className="holiday ml-1.5 size-3 rounded-[2px]" /> no sending
    <span className="ml-1.5 size-3 rounded-[2px] border border-dashed border-retry" /> waits for its account
  </span>
);

/** On a phone the question is today; the other days are one tap away. */
function TodayByAccount({
  campaign,
  days,
  today,
}: {
  readonly campaign: CampaignDetail;
  readonly days: CampaignCalendar['days'];
  readonly today: string;
}) {
  const accountOf = useAccounts();
  return (
    <Panel
      title="Today"
      note={dateWords(today)}
      aside={
        <Link
          to="/campaigns/$campaignId"
          params={{ campaignId: campaign.id }}
          search={{ view: 'table' }}
          className="inline-flex min-h-11 items-center text-table no-underline"
        >
          Other days
        </Link>
      }
    >
      <ul className="text-table">
        {campaign.accountIds.map((id) => {
          const day = days.find((each) => each.accountId === id && each.date === today);
          const { name, status } = accountOf(id);
          const later = days
            .filter((each) => each.accountId === id)
            .reduce((sum, { planned }) => sum + planned, 0);
          return (
            <li
              key={id}
              className="flex items-center gap-3 border-t border-line px-3.5 py-2.5 first:border-t-0"
            >
              <span className="w-24 min-w-0 shrink-0 wrap-anywhere">
                <Untrusted text={name} />
              </span>
              {status === 'paused' ? (
                <strong className="text-retry">Paused; {counted(later, 'mail')} for later</strong>
              ) : (
                <>
                  <UseBar
                    used={day?.sent ?? 0}
                    planned={day?.planned ?? 0}
                    max={Math.max(day?.quota ?? 0, (day?.sent ?? 0) + (day?.planned ?? 0))}
                    className="w-full min-w-0 flex-1"
                  />
                  <span className="figures whitespace-nowrap">
                    {numberWords(day?.sent ?? 0)} of {numberWords((day?.sent ?? 0) + (day?.planned ?? 0))}
                  </span>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
