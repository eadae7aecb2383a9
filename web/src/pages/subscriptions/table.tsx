import type { Subscription } from '../../api/types';
import { classNames } from '../../parts/class-names';
import { SelectBox, SelectPage } from '../../parts/selection';
import { Untrusted } from '../../parts/untrusted';
import { besideRowId, openBeside } from '../../parts/use-beside';
import { choosable, type Selection } from '../../parts/use-selection';
import { visible } from '../../parts/visible';
import { searchText } from '../../search-text';
import { Last, SubscriptionChip, Told } from './state';

interface Props {
  readonly items: readonly Subscription[];
  readonly search: object;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  /** Undefined: nothing can be chosen here. */
  readonly selection: Selection | undefined;
}

const HEAD =
  'sticky top-0 z-[1] h-[30px] border-b border-line bg-sunken text-left text-note font-semibold text-ink-2';

export const SubscriptionTable = ({ items, search, openId, onOpen, selection }: Props) => (
  <table className="w-full table-fixed border-separate border-spacing-0 text-table">
    <caption className="sr-only">Subscriptions, newest first</caption>
    <thead>
      <tr>
        {selection && (
          <th scope="col" className={`${HEAD} w-11 pl-5`}>
            <SelectPage ids={items.map(({ id }) => id)} selection={selection} />
          </th>
        )}
        <th scope="col" className={selection ? HEAD : `${HEAD} pl-5`}>
          Address and topic
        </th>
        <th scope="col" className={`${HEAD} w-[126px]`}>
          State
        </th>
        <th scope="col" className={`${HEAD} w-[58px]`}>
          Locale
        </th>
        <th scope="col" className={`${HEAD} w-[68px] pr-3 text-right`}>
          Told
        </th>
        <th scope="col" className={`${HEAD} w-[118px] pr-4 text-right`}>
          Last
        </th>
      </tr>
    </thead>
    <tbody className="[&_td]:border-b [&_td]:border-line">
      {items.map((subscription) => (
        <tr
          key={subscription.id}
          {...choosable(subscription.id)}
          aria-current={subscription.id === openId ? 'true' : undefined}
          onClick={({ target }) => {
            if (target instanceof Element && target.closest('a, button, label') === null)
              onOpen(subscription.id);
          }}
          className={classNames(
            'h-[41px] cursor-pointer has-checked:bg-sel',
            subscription.id === openId ? 'bg-sel shadow-[inset_3px_0_0_var(--focus)]' : 'hover:bg-hover',
          )}
        >
          {selection && (
            <td className="pl-4">
              <SelectBox
                id={subscription.id}
                name={visible(subscription.contactValue)}
                selection={selection}
              />
            </td>
          )}
          <td className={selection ? 'py-0.5 pr-3' : 'py-0.5 pr-3 pl-5'}>
            <Name subscription={subscription} search={search} onOpen={onOpen} />
          </td>
          <td>
            <SubscriptionChip state={subscription.state} />
          </td>
          <td className="truncate text-ink-2">{subscription.locale ?? ''}</td>
          <td className="figures pr-3 text-right whitespace-nowrap">
            <Told subscription={subscription} />
          </td>
          <td className="pr-4 text-right whitespace-nowrap">
            <Last subscription={subscription} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The same on a small screen. */
export const SubscriptionCards = ({ items, search, onOpen, selection }: Props) => (
  <ul aria-label="Subscriptions">
    {items.map((subscription) => (
      <li
        key={subscription.id}
        {...choosable(subscription.id)}
        className="flex items-center gap-2 border-b border-line px-3.5 py-2 text-table"
      >
        {selection && (
          <SelectBox id={subscription.id} name={visible(subscription.contactValue)} selection={selection} />
        )}
        <div className="min-w-0 flex-1">
          <Name subscription={subscription} search={search} onOpen={onOpen} />
          <div className="mt-0.5 flex flex-wrap items-baseline justify-between gap-x-3 text-note">
            <SubscriptionChip state={subscription.state} />
            <span className="text-ink-2">
              told <Told subscription={subscription} /> · <Last subscription={subscription} />
            </span>
          </div>
        </div>
      </li>
    ))}
  </ul>
);

const Name = ({
  subscription: { id, contactValue, topic },
  search,
  onOpen,
}: Pick<Props, 'search' | 'onOpen'> & { readonly subscription: Subscription }) => (
  <>
    <a
      id={besideRowId(id)}
      href={`/subscriptions/${id}${searchText(search)}`}
      onClick={(click) => openBeside(click, () => onOpen(id))}
      className="block truncate font-semibold text-ink no-underline"
    >
      <Untrusted text={contactValue} />
    </a>
    <span className="block truncate text-note text-ink-2">
      <Untrusted text={topic} />
    </span>
  </>
);
