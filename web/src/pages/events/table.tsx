import { Link } from '@tanstack/react-router';
import type { Event } from '../../api/types';
import { classNames } from '../../parts/class-names';
import { StateGlyph } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { Untrusted } from '../../parts/untrusted';
import { besideRowId, openBeside } from '../../parts/use-beside';
import { searchText } from '../../search-text';
import { Time } from '../../time/time';
import { ToldBar } from './told-bar';

interface Props {
  readonly items: readonly Event[];
  readonly search: object;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}

const HEAD =
  'sticky top-0 z-[1] h-[30px] border-b border-line bg-sunken text-left text-note font-semibold text-ink-2';

export const EventTable = ({ items, search, openId, onOpen }: Props) => (
  <table className="w-full table-fixed border-separate border-spacing-0 text-table">
    <caption className="sr-only">Events, newest first</caption>
    <thead>
      <tr>
        <th scope="col" className={`${HEAD} pl-5`}>
          Event and topic
        </th>
        <th scope="col" className={`${HEAD} w-[178px]`}>
          Who was told
        </th>
        <th scope="col" className={`${HEAD} w-[66px] pr-3 text-right`}>
          Matched
        </th>
        <th scope="col" className={`${HEAD} w-[104px] pr-4 text-right`}>
          When
        </th>
      </tr>
    </thead>
    <tbody className="[&_td]:border-b [&_td]:border-line">
      {items.map((event) => (
        <tr
          key={event.id}
          aria-current={event.id === openId ? 'true' : undefined}
          onClick={({ target }) => {
            if (target instanceof Element && target.closest('a, button') === null) onOpen(event.id);
          }}
          className={classNames(
            'h-[49px] cursor-pointer',
            event.id === openId ? 'bg-sel shadow-[inset_3px_0_0_var(--focus)]' : 'hover:bg-hover',
          )}
        >
          <td className="py-0.5 pr-3 pl-5">
            <Name event={event} search={search} onOpen={onOpen} />
          </td>
          <td className="pr-3 text-note leading-5">
            <Told event={event} />
          </td>
          <td className="figures pr-3 text-right">
            <Matched event={event} />
          </td>
          <td className="pr-4 text-right whitespace-nowrap">
            <Time at={event.createdAt} label="Published" />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The same on a small screen. */
export const EventCards = ({ items, search, onOpen }: Props) => (
  <ul aria-label="Events">
    {items.map((event) => (
      <li key={event.id} className="border-b border-line px-3.5 py-2 text-table">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <Name event={event} search={search} onOpen={onOpen} />
          </div>
          <span className="text-note text-ink-2">
            <Time at={event.createdAt} label="Published" />
          </span>
        </div>
        <div className="mt-1 text-note">
          <Told event={event} />
        </div>
      </li>
    ))}
  </ul>
);

const Name = ({
  event: { id, title, type, topic },
  search,
  onOpen,
}: Pick<Props, 'search' | 'onOpen'> & { readonly event: Event }) => (
  <>
    <a
      id={besideRowId(id)}
      href={`/events/${id}${searchText(search)}`}
      onClick={(click) => openBeside(click, () => onOpen(id))}
      className="block truncate font-semibold text-ink no-underline"
    >
      <Untrusted text={title} />
    </a>
    <span className="block truncate text-note text-ink-2">
      <Untrusted text={type} /> · <Untrusted text={topic} />
    </span>
  </>
);

const Told = ({ event }: { readonly event: Event }) => {
  const { state, words } = event.summary;
  if (event.matched === 0) return <span className="text-ink-2">{words}</span>;
  return (
    <>
      <span className={classNames('flex items-center gap-2', state === 'dead' && 'font-semibold text-dead')}>
        <StateGlyph state={state} size={12} />
        <span className="truncate">{words}</span>
      </span>
      <ToldBar event={event} height={8} className="w-[116px] max-sm:w-full" />
    </>
  );
};

/** Opens its mails. */
const Matched = ({ event: { id, matched } }: { readonly event: Event }) =>
  matched === 0 ? (
    <span className="text-ink-3">0</span>
  ) : (
    <Link
      to="/queue"
      search={{ eventId: id }}
      aria-label={`${numberWords(matched)} matched: its mails`}
      className="underline underline-offset-3"
    >
      {numberWords(matched)}
    </Link>
  );
