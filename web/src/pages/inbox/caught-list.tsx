import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Caught, CaughtPage } from '../../api/types';
import { buttonLook } from '../../parts/button';
import { classNames } from '../../parts/class-names';
import { counted } from '../../parts/number-words';
import { visible } from '../../parts/visible';
import { dayOf, timeOf } from '../../time/words';
import { useNow } from '../../time/clock';
import { useZone } from '../../time/zone';
import { splitArrivals } from './arrivals';

interface Props {
  readonly page: CaughtPage;
  readonly cursor: string | undefined;
  readonly openId: string | undefined;
}

/** Newest first. What comes in while a pointer is here waits behind a button. */
export function CaughtList({ page, cursor, openId }: Props) {
  // What stood first when the pointer came.
  const [top, setTop] = useState<string>();
  const newest = page.items[0]?.id;
  const { shown, arrived } = splitArrivals(page.items, top);
  return (
    <nav
      aria-label="Caught mails"
      onPointerEnter={() => setTop(newest)}
      onPointerLeave={() => setTop(undefined)}
      className="bg-surface lg:h-full lg:overflow-y-auto"
    >
      {arrived > 0 && (
        <button
          type="button"
          onClick={() => setTop(newest)}
          className="min-h-8 w-full border-b border-line bg-sel text-table font-semibold text-link coarse:min-h-11"
        >
          {counted(arrived, 'new mail')}
        </button>
      )}
      <ul>
        {shown.map((mail) => (
          <Row key={mail.id} mail={mail} cursor={cursor} open={mail.id === openId} />
        ))}
      </ul>
      {(cursor !== undefined || page.nextCursor !== null) && (
        <div className="flex justify-between gap-2 px-4 py-3">
          {cursor === undefined ? (
            <span />
          ) : (
            <Link to="/inbox" search={{}} className={buttonLook()}>
              Newest
            </Link>
          )}
          {page.nextCursor !== null && (
            <Link to="/inbox" search={{ cursor: page.nextCursor }} className={buttonLook()}>
              Older
            </Link>
          )}
        </div>
      )}
    </nav>
  );
}

function Row({
  mail,
  cursor,
  open,
}: {
  readonly mail: Caught;
  readonly cursor: string | undefined;
  readonly open: boolean;
}) {
  const zone = useZone();
  const now = useNow();
  const at = Date.parse(mail.receivedAt);
  const today = dayOf(at, zone) === dayOf(now, zone);
  return (
    <li>
      <Link
        to="/inbox/$caughtId"
        params={{ caughtId: mail.id }}
        search={cursor === undefined ? {} : { cursor }}
        id={`caught-${mail.id}`}
        aria-current={open ? 'true' : undefined}
        className={classNames(
          'block border-b border-line px-4 py-2 text-table text-ink no-underline coarse:py-3',
          open ? 'bg-sel shadow-[inset_3px_0_0_var(--focus)]' : 'hover:bg-hover',
        )}
      >
        <span className="flex items-baseline gap-3">
          <strong className="min-w-0 flex-1 truncate font-[660]">
            <bdi>{visible(mail.subject) || 'Without a subject'}</bdi>
          </strong>
          <time dateTime={mail.receivedAt} className="figures text-note text-ink-2">
            {today ? timeOf(at, zone) : dayOf(at, zone)}
          </time>
        </span>
        <span className="block truncate text-ink-2">
          <bdi>{visible(mail.recipients.join(', '))}</bdi>
        </span>
      </Link>
    </li>
  );
}
