import { Link } from '@tanstack/react-router';
import { buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';

/** The queue shows how to send the first one. */
export const FirstRun = () => (
  <Empty
    title="Nothing has been posted yet."
    actions={
      <Link to="/queue" className={buttonLook('primary')}>
        See how to send the first mail
      </Link>
    }
  >
    Once mail goes in, this page says whether it leaves, and what needs a person.
  </Empty>
);
