import { Link, useSearch } from '@tanstack/react-router';
import { launchCampaign, scheduleCampaign } from '../../api/campaigns';
import type { CampaignDetail } from '../../api/types';
import { buttonLook } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { visible } from '../../parts/visible';
import { people, PeopleStep } from './launch/people-step';

/** What becomes of who is added, by what the campaign does. */
const WORDS: Record<CampaignDetail['state'], string> = {
  draft: 'Nothing leaves before it is launched.',
  running: 'Who is added is planned at once, behind those who wait.',
  paused: 'Who is added is planned when it is resumed.',
  completed: 'Who is added is planned when it is launched again, which is asked then.',
  stopped: 'It is stopped and takes nobody any more.',
};

/** More people for one that was launched. */
export function AddPeople({ campaign }: { readonly campaign: CampaignDetail }) {
  const { q, cursor } = useSearch({ strict: false });
  const { id, state } = campaign;
  const plan = async (added: number) => {
    if (state === 'running') await scheduleCampaign(id);
    if (state === 'completed' && (await isMeant(campaign, added))) await launchCampaign(id);
  };
  return (
    <>
      <p className="text-ink-2">{WORDS[state]}</p>
      {state !== 'stopped' && (
        <PeopleStep
          key={q ?? ''}
          campaign={campaign}
          q={q}
          cursor={cursor}
          at={`/campaigns/${id}/add`}
          onAdded={plan}
        >
          <Link
            to="/campaigns/$campaignId/$part"
            params={{ campaignId: id, part: 'people' }}
            search={{}}
            className={buttonLook()}
          >
            Back to its people
          </Link>
        </PeopleStep>
      )}
    </>
  );
}

/** It has an end already, and what leaves cannot be called back. */
const isMeant = ({ name }: CampaignDetail, added: number): Promise<boolean> =>
  confirm({
    title: `Launch ${visible(name)} again?`,
    text: `${people(added)} ${added === 1 ? 'was' : 'were'} added. It runs again for them; nobody gets a mail twice. What has left cannot be called back.`,
    action: 'Launch it again',
  });
