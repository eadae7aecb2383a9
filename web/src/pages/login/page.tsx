import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetSession } from '../../session';
import { Doorway } from './doorway';
import { localPath } from './local-path';
import { SignInForm } from './sign-in-form';

export function LoginPage() {
  const navigate = useNavigate();
  const { next } = useSearch({ strict: false });
  useEffect(() => {
    document.title = 'Sign in, Pillarbox';
  }, []);
  const goOn = async () => {
    await forgetSession();
    await navigate({ href: localPath(next) });
  };
  return (
    <Doorway>
      <h1 className="text-sentence font-[680]">Sign in</h1>
      <p className="mb-5 text-ink-2">Mail goes in once and leaves once.</p>
      <SignInForm onSignedIn={() => void goOn()} />
      <p className="mt-5 text-table text-ink-2">
        First start? The terminal that runs Pillarbox printed the address and the password.
      </p>
    </Doorway>
  );
}
