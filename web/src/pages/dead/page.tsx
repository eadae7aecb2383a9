import { TopBar } from '../../shell/top-bar';

export function DeadPage() {
  return <TopBar title="Dead letters" />;
}
