import { setKeysEnabled, useKeysEnabled } from '../../keys/keys';
import { post } from '../../api/client';
import { Button } from '../../parts/button';
import { Field } from '../../parts/form/field';
import { CheckboxRow, Choice } from '../../parts/form/inputs';
import { Panel } from '../../parts/panel';
import { showToast } from '../../parts/toast';
import { Untrusted } from '../../parts/untrusted';
import { useMe } from '../../session';
import { setDensity, useDensity } from '../../theme/density';
import { setTheme, useTheme } from '../../theme/theme';
import { useWorkspaceName } from '../../workspace-name';
import { OwnPassword } from './own-password';
import { OwnSessions } from './own-sessions';
import { ROLES } from './role-words';

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;
const DENSITIES = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
] as const;

export const YouSection = () => (
  <div className="flex max-w-4xl flex-col gap-4">
    <Who />
    <Looks />
    <OwnPassword />
    <OwnSessions />
  </div>
);

function Who() {
  const { user, administersInstallation, installation } = useMe();
  const role = ROLES.find(({ value }) => value === user?.role);
  const here = useWorkspaceName();
  const signOut = () => {
    post('/api/auth/logout')
      .then(() => location.assign('/login'))
      .catch((error: unknown) => showToast({ text: (error as Error).message, tone: 'fault' }));
  };
  return (
    <Panel title="You" aside={<Button onClick={signOut}>Sign out</Button>}>
      <dl className="py-2">
        <Fact name="Email">
          <Untrusted text={user?.email ?? ''} />
        </Fact>
        <Fact name="Role here">
          {role?.label ?? ''} of <Untrusted text={here} />
          <span className="block font-normal text-ink-2">{role?.may}</span>
        </Fact>
        {administersInstallation && <Fact name="Installation">Administers it, with all its workspaces</Fact>}
        <Fact name="Version">
          <span className="figures">Pillarbox {installation.version}</span>
        </Fact>
      </dl>
    </Panel>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div className="flex flex-wrap gap-x-3 px-3.5 py-1">
    <dt className="w-32 shrink-0 text-ink-2">{name}</dt>
    <dd className="min-w-0 flex-1 font-semibold break-words">{children}</dd>
  </div>
);

/** Kept in this browser, and nobody else's business. */
function Looks() {
  const theme = useTheme();
  const density = useDensity();
  const keys = useKeysEnabled();
  return (
    <Panel title="This browser" note="kept here only">
      <div className="grid gap-4 p-3.5 sm:grid-cols-2">
        <Field label="Theme">
          <Choice value={theme} options={THEMES} onChange={setTheme} className="max-w-60" />
        </Field>
        <Field label="Rows of tables">
          <Choice value={density} options={DENSITIES} onChange={setDensity} className="max-w-60" />
        </Field>
        <CheckboxRow
          checked={keys}
          onChange={setKeysEnabled}
          label="Keys"
          hint="One-key shortcuts, shown by ?. Ctrl K, Ctrl S and Escape work in any case."
        />
      </div>
    </Panel>
  );
}
