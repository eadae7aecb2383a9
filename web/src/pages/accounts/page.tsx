import { TopBar } from '../../shell/top-bar';

export function AccountsPage() {
  return <TopBar title="Accounts" />;
}
