import { useEffect, useState } from 'react';
import { whenSignedOut } from '../api/client';
import { queryClient } from '../api/query-client';
import { Dialog } from '../parts/dialog';
import { SignInForm } from '../pages/login/sign-in-form';
import { startSession, useMe } from '../session';

/** Over the page, so that filter and form stay as they are. */
export function SessionEnded() {
  const me = useMe();
  const [ended, setEnded] = useState(false);
  useEffect(() => whenSignedOut(() => setEnded(true)), []);
  if (!ended) return null;
  const goOn = async () => {
    const again = await startSession();
    // Somebody else is another page.
    if (again.user?.id !== me.user?.id) location.reload();
    setEnded(false);
    await queryClient.invalidateQueries();
  };
  return (
    <Dialog insists title="You were signed out" onClose={() => undefined}>
      <p className="mb-4 text-ink-2">Sign in to go on where you were.</p>
      <SignInForm email={me.user?.email ?? ''} onSignedIn={() => void goOn()} />
    </Dialog>
  );
}
