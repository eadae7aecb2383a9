import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Answers, Enrolment } from '../../api/types';
import { Failure } from '../../parts/failure';
import { STATE_LABELS, StateGlyph } from '../../parts/glyphs';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { STATUS_WORDS } from './contact-words';

/** The way through each campaign, newest first. */
export function Enrolments({
  query: { data, error, refetch },
}: {
  readonly query: UseQueryResult<Answers['listCampaignsOfContact']>;
}) {
  return (
    <Panel
      title="Campaigns"
      {...(data && { note: data.nextCursor === null ? 'all of them, newest first' : 'the newest 50' })}
    >
      {error ? (
        <div className="p-3.5">
          <Failure error={error} what="the campaigns" onRetry={() => void refetch()} />
        </div>
      ) : data?.items.length === 0 ? (
        <p className="px-3.5 py-3 text-table text-ink-2">
          In no campaign yet. A campaign takes people in when it is set up.
        </p>
      ) : (
        <ul>
          {data?.items.map((item) => (
            <Item key={item.campaignId} item={item} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const Item = ({ item }: { readonly item: Enrolment }) => (
  <li className="border-t border-line px-3.5 py-2 text-table first:border-t-0">
    <div className="flex flex-wrap items-baseline gap-x-3">
      <Link
        to="/queue"
        search={{ campaignId: item.campaignId }}
        className="min-w-0 flex-1 font-semibold wrap-anywhere"
      >
        <Untrusted text={item.campaign} />
      </Link>
      <span className="text-note text-ink-2">campaign {item.campaignState}</span>
    </div>
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Track steps={item.steps} />
      <span>
        {STATUS_WORDS[item.status]}
        {item.why !== null && item.why !== item.status && <>: {visible(item.why.replaceAll('_', ' '))}</>}
      </span>
      {item.nextAt !== null && (
        <span className="text-ink-2">
          next <Time at={item.nextAt} />
        </span>
      )}
    </div>
  </li>
);

/** One glyph a step; read out as a list. */
const Track = ({ steps }: Pick<Enrolment, 'steps'>) =>
  steps.length > 0 && (
    <ol className="flex items-center">
      {steps.map(({ order, state }, n) => (
        <li key={n} className="flex items-center">
          {n > 0 && <span aria-hidden className="mx-0.5 h-px w-2 bg-line-strong" />}
          <StateGlyph state={state} />
          <span className="sr-only">
            step {order} {STATE_LABELS[state].toLowerCase()}
          </span>
        </li>
      ))}
    </ol>
  );
