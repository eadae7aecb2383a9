import { Link } from '@tanstack/react-router';
import type { CampaignDetail, PersonInCampaign } from '../../api/types';
import { SelectBox, SelectPage } from '../../parts/selection';
import { Untrusted } from '../../parts/untrusted';
import { choosable, type Selection } from '../../parts/use-selection';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { useAccounts } from './account-names';
import { StepTrack } from './step-track';

interface Props {
  readonly items: readonly PersonInCampaign[];
  readonly campaign: CampaignDetail;
  /** Undefined: nobody can be chosen here. */
  readonly selection: Selection | undefined;
}

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1.5 align-middle';
const nameOf = ({ name, email, contactId }: PersonInCampaign): string => visible(name ?? email ?? contactId);

export function PeopleTable({ items, campaign, selection }: Props) {
  const accountOf = useAccounts();
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full text-table">
        <thead>
          <tr>
            {selection && (
              <th className={`${HEAD} w-10 pr-0`}>
                <SelectPage ids={items.map(({ contactId }) => contactId)} selection={selection} />
              </th>
            )}
            <th className={HEAD}>Person</th>
            <th className={HEAD}>Steps</th>
            <th className={HEAD}>Account</th>
            <th className={HEAD}>Next</th>
            <th className={HEAD}>Why</th>
          </tr>
        </thead>
        <tbody>
          {items.map((person) => (
            <tr
              key={person.contactId}
              {...choosable(person.contactId)}
              className="border-t border-line hover:bg-hover"
            >
              {selection && (
                <td className={`${CELL} pr-0`}>
                  <SelectBox id={person.contactId} name={nameOf(person)} selection={selection} />
                </td>
              )}
              <td className={`${CELL} max-w-64 wrap-anywhere`}>
                <Who person={person} />
              </td>
              <td className={CELL}>
                <StepTrack steps={person.steps} />
              </td>
              <td className={`${CELL} wrap-anywhere`}>
                {person.accountId !== null && <Untrusted text={accountOf(person.accountId).name} />}
              </td>
              <td className={`${CELL} whitespace-nowrap`}>
                {person.nextAt === null ? (
                  <span className="text-ink-2">none</span>
                ) : (
                  <Time at={person.nextAt} label="Leaves" />
                )}
              </td>
              <td className={`${CELL} max-w-md wrap-anywhere`}>
                <Why person={person} campaignId={campaign.id} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const PeopleCards = ({ items, campaign, selection }: Props) => (
  <ul>
    {items.map((person) => (
      <li
        key={person.contactId}
        {...choosable(person.contactId)}
        className="flex items-start gap-3 border-t border-line px-3.5 py-2.5 text-table first:border-t-0"
      >
        {selection && <SelectBox id={person.contactId} name={nameOf(person)} selection={selection} />}
        <div className="min-w-0 flex-1 wrap-anywhere">
          <Who person={person} />
          <StepTrack steps={person.steps} />
          <Why person={person} campaignId={campaign.id} />
        </div>
        {person.nextAt !== null && <Time at={person.nextAt} label="Leaves" />}
      </li>
    ))}
  </ul>
);

const Who = ({ person: { name, email, contactId } }: { readonly person: PersonInCampaign }) => (
  <>
    <strong className="block">
      <Untrusted text={name ?? email ?? contactId} />
    </strong>
    <span className="block text-note text-ink-2">
      {name !== null && (email === null ? 'no address' : <Untrusted text={email} />)}
    </span>
  </>
);

function Why({
  person: { why, steps },
  campaignId,
}: {
  readonly person: PersonInCampaign;
  readonly campaignId: string;
}) {
  const held = steps.some(({ state }) => state === 'held');
  const dead = steps.some(({ state }) => state === 'dead');
  return (
    <span className={held ? 'font-semibold text-held' : dead ? 'font-semibold text-dead' : 'text-ink-2'}>
      <Untrusted text={why ?? ''} />
      {(held || dead) && (
        <>
          {' '}
          <Link
            to="/queue"
            search={{ campaignId, state: held ? 'held' : 'dead' }}
            className="underline underline-offset-3"
          >
            {held ? 'Decide' : 'Look'}
          </Link>
        </>
      )}
    </span>
  );
}
