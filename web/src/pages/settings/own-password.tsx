import { useState } from 'react';
import { changeOwnPassword } from '../../api/settings';
import { Button } from '../../parts/button';
import { Fault } from '../../parts/form/fault';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { useSubmit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { showToast } from '../../parts/toast';
import { useMe } from '../../session';

const SHORTEST = 12;

export function OwnPassword() {
  const { user } = useMe();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const submit = useSubmit();
  const change = () =>
    submit.run(async () => {
      await changeOwnPassword({ current, password });
      setCurrent('');
      setPassword('');
      showToast({ text: 'Password changed. All your other sessions have ended.' });
    });
  return (
    <Panel title="Password">
      <form
        className="grid gap-4 p-3.5 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          change();
        }}
      >
        <Fault text={submit.faultBesides('current', 'password')} className="sm:col-span-2" />
        {/* For password managers: whose it is. */}
        <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <Field label="Present password" error={submit.faultOf('current')}>
          <TextInput
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onChange={setCurrent}
          />
        </Field>
        <Field
          label="New password"
          error={submit.faultOf('password')}
          hint={`At least ${SHORTEST} characters. All your other sessions end.`}
        >
          <TextInput
            type="password"
            autoComplete="new-password"
            required
            minLength={SHORTEST}
            value={password}
            onChange={setPassword}
          />
        </Field>
        <div className="sm:col-span-2">
          <Button type="submit" busy={submit.busy}>
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  );
}
