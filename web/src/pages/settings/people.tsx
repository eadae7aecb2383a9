import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changePerson, invitePerson, ofPeople, removePerson } from '../../api/settings';
import type { Member, Role } from '../../api/types';
import { Button } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { Failure } from '../../parts/failure';
import { Choice } from '../../parts/form/inputs';
import { faultWords } from '../../parts/fault-words';
import { Panel } from '../../parts/panel';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { Untrusted } from '../../parts/untrusted';
import { useMe } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { Time } from '../../time/time';
import { AddPerson } from './add-person';
import { InvitationOnce, type Invited } from './invitation-once';
import { ROLES } from './role-words';
import { CELL, MoreLink, Table } from './table';

const failed = (error: unknown) =>
  showToast({
    text: faultWords(error),
    tone: 'fault',
  });

export function PeopleSection() {
  const [cursor, setCursor] = useState<string>();
  const { data, error, refetch } = useQuery(ofPeople(cursor));
  const offline = useOffline();
  const [adding, setAdding] = useState(false);
  const [invited, setInvited] = useState<Invited>();
  if (error && !data) return <Failure error={error} what="the people" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={4} />;
  return (
    <Panel
      title="People"
      note="of this workspace"
      aside={offline === undefined && <Button onClick={() => setAdding(true)}>Add person</Button>}
      className="max-w-4xl"
    >
      <Table heads={['Person', 'Role', 'Since']}>
        {data.items.map((member) => (
          <Person key={member.id} member={member} acts={offline === undefined} onInvited={setInvited} />
        ))}
      </Table>
      <MoreLink next={data.nextCursor} onNext={setCursor} />
      <dl className="border-t border-line px-3.5 py-2 text-note text-ink-2">
        {ROLES.map(({ value, label, may }) => (
          <div key={value} className="flex gap-2">
            <dt className="w-16 shrink-0">{label}</dt>
            <dd>{may}</dd>
          </div>
        ))}
      </dl>
      {adding && <AddPerson onClose={() => setAdding(false)} onInvited={setInvited} />}
      {invited && <InvitationOnce invited={invited} onClose={() => setInvited(undefined)} />}
    </Panel>
  );
}

interface PersonProps {
  readonly member: Member;
  readonly acts: boolean;
  readonly onInvited: (invited: Invited) => void;
}

function Person({ member, acts, onInvited }: PersonProps) {
  const { id, email, role, createdAt } = member;
  const me = useMe();
  const setRole = (next: Role) =>
    void changePerson(id, { role: next })
      .then(() => showToast({ text: `${email} is ${next === 'viewer' ? 'a' : 'an'} ${next} now.` }))
      .catch(failed);
  const renew = async () => {
    const sure = await confirm({
      title: `New invitation for ${email}?`,
      text: 'You get a link, once, to hand over. The present password, all sessions and any invitation of before end.',
      action: 'Make a new invitation',
    });
    if (!sure) return;
    const { invitation } = await invitePerson(id);
    onInvited({ email, ...invitation });
  };
  const remove = async () => {
    const sure = await confirm({
      title: `Remove ${email}?`,
      text: 'This person can no longer enter this workspace. What was done stays in the audit log.',
      action: `Remove ${email}`,
    });
    if (!sure) return;
    await removePerson(id);
    showToast({ text: `Removed ${email}.` });
  };
  return (
    <tr className="border-t border-line max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-2 max-sm:px-3.5 max-sm:py-2.5">
      <td className={`${CELL} font-semibold break-all max-sm:w-full max-sm:p-0`}>
        <Untrusted text={email} />
        {me.user?.id === id && <span className="font-normal text-ink-2"> (you)</span>}
        <Standing member={member} />
      </td>
      <td className={`${CELL} max-sm:p-0`}>
        {acts ? (
          <Choice
            aria-label={`Role of ${email}`}
            value={role}
            options={ROLES}
            onChange={setRole}
            className="w-28"
          />
        ) : (
          role
        )}
      </td>
      <td className={`${CELL} max-sm:hidden`}>
        <Time at={createdAt} label="Member since" />
      </td>
      <td className={`${CELL} max-sm:p-0`}>
        {acts && (
          <div className="flex flex-wrap justify-end gap-2">
            {me.user?.id !== id && (
              <Button onClick={() => void renew().catch(failed)} aria-label={`New invitation for ${email}…`}>
                New invitation…
              </Button>
            )}
            <Button kind="danger" onClick={() => void remove().catch(failed)} aria-label={`Remove ${email}…`}>
              Remove…
            </Button>
          </div>
        )}
      </td>
    </tr>
  );
}

/** Of somebody who can't sign in: whether he only has to come, or waits for somebody. */
function Standing({ member: { status, invitation } }: { readonly member: Member }) {
  if (status === 'active') return null;
  return (
    <span className="block text-note font-normal break-normal text-ink-2">
      {invitation ? (
        <>
          invited, not yet in; the link ends <Time at={invitation.expiresAt} label="The link ends" />
        </>
      ) : (
        'cannot sign in: needs a new invitation'
      )}
    </span>
  );
}
