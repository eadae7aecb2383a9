import { post, signRequestsWith } from '../../api/client';
import { EntryForm } from './entry-form';
import { FIELD, PasswordField } from './password-field';
import { refusalWords } from './refusal-words';

function signIn(form: FormData): Promise<unknown> {
  // Whoever was signed in before: this request is nobody's.
  signRequestsWith({});
  return post('/api/auth/login', { email: form.get('email'), password: form.get('password') });
}

/** Says what is wrong in the server's words, and never which of the two it was. */
export const SignInForm = ({
  email = '',
  onSignedIn,
}: {
  readonly email?: string;
  readonly onSignedIn: () => void;
}) => (
  <EntryForm action="Sign in" enter={signIn} onEntered={onSignedIn} wordsFor={refusalWords}>
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
    <PasswordField label="Password" autoComplete="current-password" autoFocus={email !== ''} />
  </EntryForm>
);
