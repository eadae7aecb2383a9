import { TopBar } from '../../shell/top-bar';

export function InboxPage() {
  return <TopBar title="Dev inbox" />;
}
