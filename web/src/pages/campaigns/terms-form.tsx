import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { changeCampaign } from '../../api/campaigns';
import { ofAccounts } from '../../api/queries';
import type { CampaignDetail } from '../../api/types';
import { Button } from '../../parts/button';
import { Fault } from '../../parts/form/fault';
import { Field } from '../../parts/form/field';
import { CheckboxRow, Choice, NumberInput } from '../../parts/form/inputs';
import { InstantInput } from '../../parts/form/instant-input';
import { useSubmit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { useZone } from '../../time/zone';
import { Simulate } from './simulate';

interface Props {
  readonly campaign: CampaignDetail;
  readonly action: string;
  readonly onSaved: () => void;
  /** What is planned now, by day: beside it stands what a change would come to. */
  readonly planned?: React.ComponentProps<typeof Simulate>['planned'];
}

/** From which accounts, and how many a day: what a campaign sets itself never raises what they may send. */
export function TermsForm({ campaign, action, onSaved, planned }: Props) {
  const { data } = useQuery({ ...ofAccounts(), staleTime: 60_000 });
  const [accountIds, setAccountIds] = useState<readonly string[]>(campaign.accountIds);
  const [timezone, setTimezone] = useState(campaign.timezone);
  const [deal, setDeal] = useState(campaign.deal);
  const [dailyLimit, setDailyLimit] = useState(campaign.dailyLimit);
  const [maxNewPerDay, setMaxNew] = useState(campaign.maxNewPerDay);
  const [stopOnReply, setStopOnReply] = useState(campaign.stopOnReply);
  const [startAt, setStartAt] = useState(campaign.startAt);
  const [endAt, setEndAt] = useState(campaign.endAt);
  const zone = useZone();
  const submit = useSubmit();
  const draft = campaign.state === 'draft';
  const change = {
    ...{ accountIds, deal, dailyLimit, maxNewPerDay, stopOnReply },
    // What is planned has them: later they would hold for some and not for others.
    ...(draft && { timezone, startAt, endAt }),
  };
  const save = () =>
    submit.run(async () => {
      await changeCampaign(campaign.id, change);
      onSaved();
    });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Fault text={submit.faultBesides('accountIds', 'startAt', 'endAt', 'dailyLimit', 'maxNewPerDay')} />
      <Panel
        title="Accounts"
        note="people are dealt to them, and stay with theirs"
        aside={
          <Link to="/limits" className="text-table no-underline hover:underline">
            Limits
          </Link>
        }
      >
        <ul className="px-3.5 py-2">
          {(data?.items ?? []).map(({ id, name, emailAddress, status, pauseReason }) => (
            <li key={id} className="py-1 wrap-anywhere">
              <CheckboxRow
                checked={accountIds.includes(id)}
                onChange={(on) =>
                  setAccountIds(on ? [...accountIds, id] : accountIds.filter((each) => each !== id))
                }
                label={<Untrusted text={name} />}
                hint={
                  <>
                    {emailAddress !== null && <Untrusted text={emailAddress} />}
                    {status === 'paused' && (
                      <strong className="text-retry">
                        {' '}
                        paused
                        {pauseReason !== null && (
                          <>
                            : <Untrusted text={pauseReason} />
                          </>
                        )}
                      </strong>
                    )}
                  </>
                }
              />
            </li>
          ))}
        </ul>
        {submit.faultOf('accountIds') !== undefined && (
          <p className="px-3.5 pb-3 text-note font-semibold text-dead">{submit.faultOf('accountIds')}</p>
        )}
      </Panel>
      <Panel title="How">
        <div className="grid gap-4 px-3.5 py-3 sm:grid-cols-2">
          {draft && (
            <>
              <Field
                label="Not before"
                hint={`By the clock of ${zone}. Empty: from the launch on.`}
                error={submit.faultOf('startAt')}
              >
                <InstantInput value={startAt} zone={zone} onChange={setStartAt} />
              </Field>
              <Field
                label="Nothing leaves after"
                hint={`By the clock of ${zone}. Empty: until everybody has had all of it.`}
                error={submit.faultOf('endAt')}
              >
                <InstantInput value={endAt} zone={zone} onChange={setEndAt} />
              </Field>
            </>
          )}
          {draft && (
            <Field label="Whose hours" hint="The hours in which mail may leave, by whose clock.">
              <Choice
                value={timezone}
                onChange={setTimezone}
                options={[
                  { value: 'account', label: 'Those of the account' },
                  { value: 'recipient', label: 'Those of the recipient, where known' },
                ]}
              />
            </Field>
          )}
          <Field label="People are dealt">
            <Choice
              value={deal}
              onChange={setDeal}
              options={[
                { value: 'roundRobin', label: 'to each account in turn' },
                { value: 'capacity', label: 'by what each may send' },
              ]}
            />
          </Field>
          <Field
            label="Mails a day, at most"
            hint="Of this campaign, all accounts together. Empty: as many as they may."
            error={submit.faultOf('dailyLimit')}
          >
            <NumberInput value={dailyLimit} min={1} onChange={setDailyLimit} />
          </Field>
          <Field label="New people a day, at most" error={submit.faultOf('maxNewPerDay')}>
            <NumberInput value={maxNewPerDay} min={0} onChange={setMaxNew} />
          </Field>
          <CheckboxRow
            checked={stopOnReply}
            onChange={setStopOnReply}
            label="A reply ends it for that person"
          />
        </div>
      </Panel>
      <div>
        <Button type="submit" kind="primary" busy={submit.busy} disabled={accountIds.length === 0}>
          {action}
        </Button>
      </div>
      {planned && <Simulate id={campaign.id} planned={planned} change={() => change} />}
    </form>
  );
}
