import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changePerson, ofPeople, removePerson, type Member } from '../../api/settings';
import type { Role } from '../../api/types';
import { Button } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { Failure } from '../../parts/failure';
import { Choice } from '../../parts/form/inputs';
import { SecretOnce } from '../../parts/form/secret-once';
import { faultWords } from '../../parts/fault-words';
import { Panel } from '../../parts/panel';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { Untrusted } from '../../parts/untrusted';
import { useMe } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { Time } from '../../time/time';
import { AddPerson } from './add-person';
import { makePassword } from './made-password';
import { ROLES } from './role-words';
import { CELL, HEAD, MoreLink } from './table';

/** `knownBefore`: has a password already, through another workspace. */
export interface Shown {
  readonly email: string;
  readonly password: string | undefined;
}

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
  const [shown, setShown] = useState<Shown>();
  if (error && !data) return <Failure error={error} what="the people" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={4} />;
  return (
    <Panel
      title="People"
      note="of this workspace"
      aside={offline === undefined && <Button onClick={() => setAdding(true)}>Add person</Button>}
      className="max-w-4xl"
    >
      <table className="w-full text-table max-sm:block">
        <thead className="max-sm:sr-only">
          <tr>
            <th className={HEAD}>Person</th>
            <th className={HEAD}>Role</th>
            <th className={HEAD}>Since</th>
            <th className={HEAD}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {data.items.map((member) => (
            <Person key={member.id} member={member} acts={offline === undefined} onPassword={setShown} />
          ))}
        </tbody>
      </table>
      <MoreLink next={data.nextCursor} onNext={setCursor} />
      <dl className="border-t border-line px-3.5 py-2 text-note text-ink-2">
        {ROLES.map(({ value, label, may }) => (
          <div key={value} className="flex gap-2">
            <dt className="w-16 shrink-0">{label}</dt>
            <dd>{may}</dd>
          </div>
        ))}
      </dl>
      {adding && <AddPerson onClose={() => setAdding(false)} onAdded={setShown} />}
      {shown?.password !== undefined && (
        <SecretOnce
          title={`Password of ${shown.email}`}
          text="Copy it now and hand it over. It is stored only as a hash and cannot be shown again."
          secret={shown.password}
          onClose={() => setShown(undefined)}
        />
      )}
    </Panel>
  );
}

interface PersonProps {
  readonly member: Member;
  readonly acts: boolean;
  readonly onPassword: (shown: Shown) => void;
}

function Person({ member, acts, onPassword }: PersonProps) {
  const { id, email, role, createdAt } = member;
  const me = useMe();
  const setRole = (next: Role) =>
    void changePerson(id, { role: next })
      .then(() => showToast({ text: `${email} is ${next === 'viewer' ? 'a' : 'an'} ${next} now.` }))
      .catch(failed);
  const renew = async () => {
    const sure = await confirm({
      title: `New password for ${email}?`,
      text: 'One is made and shown once. All sessions of this person end.',
      action: 'Make a new password',
    });
    if (!sure) return;
    const password = makePassword();
    await changePerson(id, { password });
    onPassword({ email, password });
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
              <Button onClick={() => void renew().catch(failed)} aria-label={`New password for ${email}…`}>
                New password…
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
