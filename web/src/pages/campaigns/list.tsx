import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ofCampaigns } from '../../api/campaigns';
import type { CampaignList } from '../../api/types';
import { Button } from '../../parts/button';
import { Failure } from '../../parts/failure';
import { useWide } from '../../parts/media';
import { numberWords } from '../../parts/number-words';
import { Pager } from '../../parts/pager';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { useMay } from '../../session';
import { TopBar } from '../../shell/top-bar';
import { LevelGlyph } from '../../parts/glyphs';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { useShortcuts } from '../../keys/keys';
import { CampaignCards } from './cards';
import { FirstCampaign } from './first-campaign';
import { Door } from './hold-up';
import { ListFilter } from './list-filter';
import { NewCampaign } from './new-campaign';
import { inOrder } from './order';
import { Room } from './room';
import { CampaignTable } from './table';

/** Which run, which are late, what waits for me. */
export function CampaignsPage() {
  const { state, q, cursor } = useSearch({ strict: false });
  const { data, error, refetch } = useQuery(ofCampaigns({ state, q, cursor }));
  const may = useMay('operate');
  const [making, setMaking] = useState(false);
  const make = () => setMaking(true);
  useShortcuts(may ? [{ keys: 'n', does: 'new campaign', run: make }] : []);
  const none = data !== undefined && Object.values(data.counts).every((n) => n === 0);
  return (
    <>
      <TopBar
        title="Campaigns"
        actions={
          may &&
          !none && (
            <Button kind="primary" onClick={make}>
              New campaign
            </Button>
          )
        }
      />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {data ? (
          none ? (
            <FirstCampaign onNew={may ? make : undefined} />
          ) : (
            <Listed data={data} state={state} q={q} cursor={cursor} />
          )
        ) : error ? (
          <Failure error={error} what="the campaigns" onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </div>
      {making && <NewCampaign onClose={() => setMaking(false)} />}
    </>
  );
}

interface ListedProps {
  readonly data: CampaignList;
  readonly state: string | undefined;
  readonly q: string | undefined;
  readonly cursor: string | undefined;
}

function Listed({ data: { plate, items, counts, nextCursor }, state, q, cursor }: ListedProps) {
  const wide = useWide();
  const sorted = inOrder(items);
  return (
    <>
      <Plate
        {...plate}
        {...(plate.evidence !== undefined && { evidence: visible(plate.evidence) })}
        sentence={visible(plate.sentence)}
        cells={[
          ...(plate.needs.length > 0 ? [<Needs key="needs" needs={plate.needs} />] : []),
          <Today key="today" items={items} />,
        ]}
      />
      <section aria-label="Campaigns" className="min-w-0 rounded-panel border border-line bg-surface">
        <ListFilter counts={counts} state={state} q={q} />
        {items.length === 0 ? (
          <p className="px-3.5 py-6 text-ink-2">
            No campaign matches. Drop the {q === undefined ? 'state' : 'search'} to see{' '}
            {numberWords(Object.values(counts).reduce((sum, n) => sum + n, 0))}.
          </p>
        ) : wide ? (
          <CampaignTable items={sorted} />
        ) : (
          <CampaignCards items={sorted} />
        )}
      </section>
      <Pager
        to="/campaigns"
        search={{ ...(state !== undefined && { state }), ...(q !== undefined && { q }) }}
        cursor={cursor}
        next={nextCursor}
      />
      <Room />
    </>
  );
}

/** What somebody has to do something about, each with the way there. */
const Needs = ({ needs }: Pick<CampaignList['plate'], 'needs'>) => (
  <ul aria-label="Needs a person" className="flex max-w-sm flex-col gap-1 text-table max-sm:max-w-none">
    {needs.map(({ level, sentence, verb, to }) => (
      <li key={to} className="flex items-start gap-2">
        <span className="mt-0.5">
          <LevelGlyph level={level} size={14} />
        </span>
        <span className="min-w-0 wrap-anywhere">
          <Untrusted text={sentence} /> <Door to={to}>{verb}</Door>
        </span>
      </li>
    ))}
  </ul>
);

/** What has left of today's plan, of those that are shown. */
function Today({ items }: Pick<CampaignList, 'items'>) {
  const sent = items.reduce((sum, { progress }) => sum + progress.sentToday, 0);
  const planned = items.reduce((sum, { progress }) => sum + progress.planToday, 0);
  // Of one of which nothing leaves, nothing is next.
  const moving = items.filter(({ holdUp }) => holdUp?.level !== 'act');
  const [next] = moving.flatMap((each) => each.next?.at ?? []).sort();
  return (
    <span className="text-note text-ink-2">
      <span className="block">Sent today</span>
      <strong className="figures block text-title text-ink">
        {numberWords(sent)} of {numberWords(sent + planned)}
      </strong>
      {next !== undefined && (
        <>
          next <Time at={next} label="The next mail leaves" />
        </>
      )}
    </span>
  );
}
