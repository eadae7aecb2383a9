import { Link } from '@tanstack/react-router';
import { buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { TopBar } from '../../shell/top-bar';

export const NotFoundPage = () => (
  <>
    <TopBar title="Not found" />
    <Empty
      title="There is no page at this address."
      actions={
        <Link to="/" className={buttonLook('primary')}>
          Go to the overview
        </Link>
      }
    />
  </>
);
