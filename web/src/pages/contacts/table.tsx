import { Link } from '@tanstack/react-router';
import type { Contact } from '../../api/types';
import { ROW } from '../../parts/row-keys';
import { StateGlyph } from '../../parts/glyphs';
import { SelectBox, SelectPage } from '../../parts/selection';
import { Untrusted } from '../../parts/untrusted';
import { choosable, type Selection } from '../../parts/use-selection';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { nameOf, SUPPRESSION_WORDS } from './contact-words';

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'max-w-64 truncate px-3.5 py-0.5 align-middle';

interface Props {
  readonly items: readonly Contact[];
  /** Undefined: nobody can be chosen here. */
  readonly selection?: Selection | undefined;
  /** They are shown as those of a file, with what it did to each. */
  readonly ofFile?: boolean;
}

export const ContactTable = ({ items, selection, ofFile = false }: Props) => (
  <table className="w-full table-fixed text-table">
    <thead>
      <tr>
        {selection && (
          <th className={`${HEAD} w-10 pr-0`}>
            <SelectPage ids={items.map(({ id }) => id)} selection={selection} />
          </th>
        )}
        <th className={`${HEAD} w-2/6`}>Name and address</th>
        <th className={HEAD}>Company</th>
        <th className={`${HEAD} max-lg:hidden`}>Time zone</th>
        <th className={`${HEAD} w-1/4`}>In campaigns</th>
        {ofFile ? (
          <th className={HEAD}>What the import did</th>
        ) : (
          <th className={`${HEAD} max-lg:hidden`}>From</th>
        )}
      </tr>
    </thead>
    <tbody>
      {items.map((contact) => (
        <tr
          key={contact.id}
          {...choosable(contact.id)}
          className="h-[41px] border-t border-line hover:bg-hover has-checked:bg-sel"
        >
          {selection && (
            <td className="py-0.5 pl-3.5 align-middle">
              <SelectBox id={contact.id} name={visible(nameOf(contact))} selection={selection} />
            </td>
          )}
          <td className={CELL}>
            <Name contact={contact} />
          </td>
          <td className={CELL}>
            <Company contact={contact} />
          </td>
          <td className={`${CELL} max-lg:hidden`}>
            {contact.timezone === null ? <None /> : <Untrusted text={contact.timezone} />}
          </td>
          <td className={CELL}>
            <Campaigns contact={contact} />
          </td>
          {ofFile ? (
            <td className={CELL}>
              <Did contact={contact} />
            </td>
          ) : (
            <td className={`${CELL} text-ink-2 max-lg:hidden`}>
              <From contact={contact} />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

/** The same on a small screen. */
export const ContactCards = ({ items, selection, ofFile = false }: Props) => (
  <ul>
    {items.map((contact) => (
      <li
        key={contact.id}
        {...choosable(contact.id)}
        className="flex items-center gap-2 border-t border-line px-3.5 py-2 text-table first:border-t-0"
      >
        {selection && <SelectBox id={contact.id} name={visible(nameOf(contact))} selection={selection} />}
        <div className="min-w-0 flex-1">
          <Name contact={contact} />
          <div className="mt-0.5 truncate text-note">
            {ofFile ? <Did contact={contact} /> : <Campaigns contact={contact} />}
          </div>
        </div>
      </li>
    ))}
  </ul>
);

const Name = ({ contact }: { readonly contact: Contact }) => (
  <>
    <Link
      to="/contacts/$contactId"
      params={{ contactId: contact.id }}
      {...ROW}
      className="block truncate font-semibold text-ink no-underline hover:underline"
    >
      <Untrusted text={nameOf(contact)} />
    </Link>
    <span className="block truncate text-note text-ink-2">
      <Untrusted
        text={contact.email ?? (contact.linkedinId === null ? '' : `LinkedIn: ${contact.linkedinId}`)}
      />
    </span>
  </>
);

const None = () => <span className="text-ink-3">none</span>;

function Company({ contact: { attributes } }: { readonly contact: Contact }) {
  const company = attributes['company'];
  return company === undefined ? <None /> : <Untrusted text={String(company)} />;
}

/** Who is not written to is told before where he is. */
function Campaigns({ contact: { suppression, campaigns } }: { readonly contact: Contact }) {
  if (suppression)
    return (
      <span className="inline-flex max-w-full items-center gap-1.5">
        <StateGlyph state="skipped" />
        <span className="truncate">
          {SUPPRESSION_WORDS[suppression.reason]}
          {suppression.lanes !== null && ` (${suppression.lanes.join(', ')})`}
        </span>
      </span>
    );
  const [newest] = campaigns;
  if (!newest) return <None />;
  return (
    <span className="block truncate">
      <Untrusted text={newest.name} />
      {newest.status !== 'active' && <span className="text-ink-2">, {newest.status}</span>}
      {campaigns.length > 1 && <span className="text-ink-2"> and {campaigns.length - 1} more</span>}
    </span>
  );
}

/** Of somebody whom a file named before this was written down it is not known. */
const Did = ({ contact: { importDid } }: { readonly contact: Contact }) =>
  importDid === null ? <span className="text-ink-3">not known</span> : <Untrusted text={importDid} />;

function From({ contact: { importId, importLine, createdAt } }: { readonly contact: Contact }) {
  if (importId === null) return <Time at={createdAt} label="Added" />;
  return (
    <Link to="/contacts/import/$importId" params={{ importId }} className="text-ink-2">
      {importLine === null ? 'a file' : `line ${String(importLine)} of a file`}
    </Link>
  );
}
