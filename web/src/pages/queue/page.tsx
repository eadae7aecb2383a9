import { TopBar } from '../../shell/top-bar';

export function QueuePage() {
  return <TopBar title="Queue" />;
}
