import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../api/client';
import { ofInvitation } from '../../api/invitation';
import { Failure } from '../../parts/failure';
import { buttonLook } from '../../parts/button';
import { Untrusted } from '../../parts/untrusted';
import { forgetSession } from '../../session';
import { Doorway } from '../login/doorway';
import { AcceptForm } from './accept-form';

/** What stands behind the `#` of a link that somebody was handed. It is sent to nobody but the API. */
export function InvitationPage() {
  const { hash: token } = useLocation();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(ofInvitation(token));
  useEffect(() => {
    document.title = 'Invitation, Pillarbox';
  }, []);
  const goOn = async () => {
    await forgetSession();
    await navigate({ to: '/', replace: true });
  };
  if (token === '' || (error instanceof ApiError && error.status === 401)) return <Over />;
  if (error) {
    return (
      <Doorway>
        <h1 className="mb-4 text-sentence font-[680]">Invitation</h1>
        <Failure error={error} what="the invitation" onRetry={() => void refetch()} />
      </Doorway>
    );
  }
  if (!data) return null;
  return (
    <Doorway>
      <h1 className="text-sentence font-[680]">Choose your password</h1>
      <p className="mb-5 text-ink-2">
        For{' '}
        <strong className="break-all text-ink">
          <Untrusted text={data.email} />
        </strong>
        . Nobody else is to know it, not even whoever invited you.
      </p>
      <AcceptForm key={token} token={token} email={data.email} onAccepted={() => void goOn()} />
    </Doorway>
  );
}

const Over = () => (
  <Doorway>
    <h1 className="text-sentence font-[680]">This invitation is over</h1>
    <p className="mb-5 text-ink-2">
      It was used or replaced, or it has run out. Sign in if you have chosen your password already. Otherwise
      ask whoever invited you for a new one.
    </p>
    <Link to="/login" className={`${buttonLook('primary')} flex min-h-10 w-full items-center justify-center`}>
      Sign in
    </Link>
  </Doorway>
);
