import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ofAccounts } from '../../api/accounts';
import { testTemplate, type TemplateToShow } from '../../api/templates';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { DialogForm } from '../../parts/form/dialog-form';
import { Field } from '../../parts/form/field';
import { Choice, TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { visible } from '../../parts/visible';
import { useMe } from '../../session';

interface Props {
  readonly what: TemplateToShow;
  readonly language: string;
  readonly onClose: () => void;
}

/** What the preview shows, to an address of one's own. */
export function TemplateTest({ what, language, onClose }: Props) {
  const { user } = useMe();
  const submit = useSubmit();
  const { data } = useQuery(ofAccounts());
  const accounts = (data?.items ?? []).filter(({ type }) => type === 'email');
  const [chosen, setChosen] = useState<string>();
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0];
  const [to, setTo] = useState(user?.email ?? '');
  const [sent, setSent] = useState<string>();
  if (sent !== undefined) return <Sent id={sent} to={to.trim()} onClose={onClose} />;
  return (
    <DialogForm
      title={`Send a test in ${language}`}
      action="Send test"
      submit={submit}
      fields={['to', 'accountId']}
      onSubmit={() =>
        submit.run(async () => {
          if (!account) return;
          const { id } = await testTemplate({ ...what, to: to.trim(), accountId: account.id });
          setSent(id);
        })
      }
      onClose={onClose}
    >
      <Field
        label="Test send to"
        error={submit.faultOf('to')}
        hint="What the preview shows, at once and whatever the window. The version may still be corrected afterwards."
      >
        <TextInput value={to} required maxLength={320} autoFocus onChange={setTo} />
      </Field>
      {data && !account ? (
        <p className="text-note text-ink-2">
          A test needs an account that sends email. <Link to="/accounts">Accounts</Link>
        </p>
      ) : (
        account && (
          <Field label="From" error={submit.faultOf('accountId')}>
            <Choice
              value={account.id}
              options={accounts.map((each) => ({
                value: each.id,
                label: visible(each.emailAddress ?? each.name),
              }))}
              onChange={setChosen}
            />
          </Field>
        )
      )}
    </DialogForm>
  );
}

function Sent({
  id,
  to,
  onClose,
}: {
  readonly id: string;
  readonly to: string;
  readonly onClose: () => void;
}) {
  const { installation } = useMe();
  return (
    <Dialog
      title="On its way"
      onClose={onClose}
      footer={
        <Button autoFocus onClick={onClose}>
          Back
        </Button>
      }
    >
      <p role="status" className="wrap-anywhere">
        The test to {visible(to)} leaves at once:{' '}
        <Link to="/queue/$messageId" params={{ messageId: id }} search={{}} onClick={onClose}>
          look at it
        </Link>
        {installation.inbox && (
          <>
            {' '}
            or in the{' '}
            <Link to="/inbox" onClick={onClose}>
              Dev inbox
            </Link>
          </>
        )}
        .
      </p>
    </Dialog>
  );
}
