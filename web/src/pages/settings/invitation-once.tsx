import { SecretOnce } from '../../parts/form/secret-once';
import { fullWords } from '../../time/words';
import { useZone } from '../../time/zone';

/** Somebody, and the link that leads in. */
export interface Invited {
  readonly email: string;
  readonly url: string;
  readonly expiresAt: string;
}

interface Props {
  readonly invited: Invited;
  readonly onClose: () => void;
}

export function InvitationOnce({ invited: { email, url, expiresAt }, onClose }: Props) {
  const until = fullWords(Date.parse(expiresAt), useZone());
  return (
    <SecretOnce
      title={`Invitation for ${email}`}
      text={`Copy this link now and hand it to this person alone. It works once, until ${until}, and cannot be shown again.`}
      secret={url}
      onClose={onClose}
    />
  );
}
