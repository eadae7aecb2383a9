import { useState } from 'react';
import { post, signRequestsWith } from '../../api/client';
import { Button } from '../../parts/button';
import { StateGlyph } from '../../parts/glyphs';
import { refusalWords, type RefusalWords } from './refusal-words';

const FIELD = 'mt-1 block h-10 w-full rounded-control border border-line-strong bg-surface px-3 font-normal';

/** Says what is wrong in the server's words, and never which of the two it was. */
export function SignInForm({
  email = '',
  onSignedIn,
}: {
  readonly email?: string;
  readonly onSignedIn: () => void;
}) {
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<RefusalWords>();
  const submit = async (form: FormData) => {
    setBusy(true);
    setFault(undefined);
    // Whoever was signed in before: this request is nobody's.
    signRequestsWith({});
    try {
      await post('/api/auth/login', { email: form.get('email'), password: form.get('password') });
      onSignedIn();
    } catch (error) {
      setFault(refusalWords(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <div role="alert">
        {fault && (
          <div className="mb-5 flex gap-3 rounded-control bg-tint-dead px-3.5 py-2.5">
            <span className="mt-1">
              <StateGlyph state="dead" />
            </span>
            <div>
              <strong className="block">{fault.title}</strong>
              {fault.text}
            </div>
          </div>
        )}
      </div>
      <label className="mb-3 block font-semibold">
        Email
        <input
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus={email === ''}
          defaultValue={email}
          className={FIELD}
        />
      </label>
      <div className="relative mb-4">
        <label className="block font-semibold">
          Password
          <input
            name="password"
            type={shown ? 'text' : 'password'}
            autoComplete="current-password"
            required
            autoFocus={email !== ''}
            className={`${FIELD} pr-16`}
          />
        </label>
        <button
          type="button"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute right-2 bottom-2 rounded-control px-2 py-0.5 font-normal text-ink-2 hover:bg-hover"
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      </div>
      <Button type="submit" kind="primary" busy={busy} className="min-h-10 w-full">
        Sign in
      </Button>
    </form>
  );
}
