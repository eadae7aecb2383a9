import { TopBar } from '../../shell/top-bar';

export function OverviewPage() {
  return <TopBar title="Overview" />;
}
