import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofContacts, ofSequences } from '../../api/campaigns';
import { ofAccounts } from '../../api/queries';
import { Button, buttonLook } from '../../parts/button';
import { counted } from '../../parts/number-words';
import { CampaignGlyph } from './campaign-state';

/** The four things that a campaign needs; those that are there are ticked. */
export function FirstCampaign({ onNew }: { readonly onNew: (() => void) | undefined }) {
  const contacts = useQuery(ofContacts({}));
  const accounts = useQuery({ ...ofAccounts(), staleTime: 60_000 });
  const sequences = useQuery(ofSequences());
  const people = contacts.data?.items.length ?? 0;
  const active = accounts.data?.items.filter(({ status }) => status === 'active').length ?? 0;
  const written = sequences.data?.items.length ?? 0;
  return (
    <div className="mx-auto flex max-w-4xl items-center gap-12 py-10 max-lg:flex-col max-lg:gap-6 max-lg:py-2">
      <Calendar />
      <div className="min-w-0 flex-1">
        <h2 className="text-figure font-[680]">No campaign yet.</h2>
        <p className="mt-1 max-w-prose text-ink-2">
          A campaign sends a sequence to many people, at permitted hours, from permitted accounts. You see its
          calendar before one mail leaves.
        </p>
        <ul className="my-4 rounded-panel border border-line bg-surface">
          <Needed
            done={people > 0}
            title="Import people"
            note={
              people > 0
                ? contacts.data?.nextCursor
                  ? `${people}+ contacts are in`
                  : `${counted(people, 'contact')} in`
                : 'From a CSV, or by the API'
            }
            to="/contacts"
            verb={people > 0 ? 'Contacts' : 'Import people'}
          />
          <Needed
            done={active > 0}
            title="Choose who sends"
            note={active > 0 ? `${counted(active, 'account')} may send` : 'No account may send'}
            to="/accounts"
            verb={active > 0 ? 'Accounts' : 'Choose who sends'}
          />
          <Needed
            done={written > 0}
            title="Write a sequence"
            note={written > 0 ? counted(written, 'sequence') : 'One mail or several, with days between them'}
            to="/sequences"
            verb={written > 0 ? 'Sequences' : 'Write a sequence'}
          />
          <Needed
            done={false}
            title="See the calendar, then launch"
            note="The dry run says what would leave when, and what is wrong with it"
          />
        </ul>
        {onNew && (
          <div className="flex flex-wrap items-center gap-3">
            <Button kind="primary" onClick={onNew}>
              New campaign
            </Button>
            <span className="text-note text-ink-2">
              The wizard asks for whatever is missing. Nothing leaves before you press Launch.
            </span>
          </div>
        )}
      </div>
    </div>
  );
}

interface NeededProps {
  readonly done: boolean;
  readonly title: string;
  readonly note: string;
  readonly to?: string;
  readonly verb?: string;
}

const Needed = ({ done, title, note, to, verb }: NeededProps) => (
  <li className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2.5 first:border-t-0">
    <CampaignGlyph state={done ? 'completed' : 'draft'} size={16} />
    <span className="min-w-0 flex-1">
      <strong className="block">
        {title}
        <span className="sr-only">{done ? ', done' : ', to do'}</span>
      </strong>
      <span className="text-table text-ink-2">{note}</span>
    </span>
    {to !== undefined && (
      <Link to={to} className={done ? 'text-table no-underline hover:underline' : buttonLook()}>
        {verb}
      </Link>
    )}
  </li>
);

const Calendar = () => (
  <svg aria-hidden viewBox="0 0 232 216" className="w-56 shrink-0 text-line-strong max-lg:w-36">
    <g fill="none" stroke="currentColor" strokeWidth="2">
      <rect x="1" y="15" width="230" height="200" rx="4" />
      <path d="M1 56h230M60 1v26M172 1v26" />
      {[0, 1, 2].flatMap((row) =>
        [0, 1, 2, 3, 4].map((column) => (
          <rect
            key={`${row} ${column}`}
            x={20 + column * 40}
            y={74 + row * 45}
            width="30"
            height="32"
            rx="2"
          />
        )),
      )}
    </g>
    <g className="fill-surface stroke-brand" strokeWidth="1.8" transform="rotate(-5 116 135)">
      <path d="M92 120h48v30H92z" />
      <path d="m92 120 24 18 24-18" fill="none" />
    </g>
  </svg>
);
