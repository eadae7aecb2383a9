import { acceptInvitation } from '../../api/invitation';
import { EntryForm } from '../login/entry-form';
import { PasswordField } from '../login/password-field';
import { acceptWords } from './accept-words';

const SHORTEST = 12;

interface Props {
  readonly token: string;
  readonly email: string;
  readonly onAccepted: () => void;
}

export const AcceptForm = ({ token, email, onAccepted }: Props) => (
  <EntryForm
    action="Set password and sign in"
    enter={(form) => acceptInvitation(token, form.get('password'))}
    onEntered={onAccepted}
    wordsFor={acceptWords}
  >
    {/* For password managers: whose it is. */}
    <input type="text" autoComplete="username" value={email} readOnly hidden />
    <PasswordField
      label="New password"
      hint={`At least ${SHORTEST} characters.`}
      autoComplete="new-password"
      minLength={SHORTEST}
      autoFocus
    />
  </EntryForm>
);
