import type { UseQueryResult } from '@tanstack/react-query';
import type { TemplateCheck, TemplateDetail, TemplateStanding } from '../../api/templates';
import { Button } from '../../parts/button';
import { Failure } from '../../parts/failure';
import { Choice } from '../../parts/form/inputs';
import { StateGlyph } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { SkeletonRows } from '../../parts/skeleton';
import { visible } from '../../parts/visible';
import { serviceNow } from '../../time/clock';
import { Time } from '../../time/time';
import { whenWords } from '../../time/words';
import { useZone } from '../../time/zone';

interface Props {
  readonly saved: TemplateDetail;
  readonly standing: UseQueryResult<TemplateStanding>;
  readonly variables: TemplateCheck['variables'];
  /** Empty: the sample. */
  readonly eventId: string;
  readonly onEvent: (id: string) => void;
  readonly onVersion: (version: string) => void;
  readonly onLocale: (locale: string) => void;
  readonly onNew?: () => void;
  readonly onAddLocale?: () => void;
  readonly onFallBack?: (locale: string) => void;
  /** What saving makes. */
  readonly next: string;
}

/** What there is of it, and what it is shown with. */
export function Side(props: Props) {
  const { standing } = props;
  if (!standing.data)
    return standing.error ? (
      <Failure error={standing.error} what="its versions" onRetry={() => void standing.refetch()} />
    ) : (
      <SkeletonRows rows={4} />
    );
  return (
    <div className="flex min-w-0 flex-col gap-4 sm:max-xl:grid sm:max-xl:grid-cols-3 sm:max-xl:items-start">
      <Versions {...props} versions={standing.data.versions} />
      <Matrix {...props} standing={standing.data} />
      <EventChoice {...props} events={standing.data.events} />
    </div>
  );
}

const Versions = ({
  saved,
  versions,
  next,
  onVersion,
  onNew,
}: Props & { readonly versions: TemplateStanding['versions'] }) => (
  <Panel title="Versions">
    <ul className="p-1.5 text-table">
      {versions.map(({ version, sentence, createdAt }) => (
        <li key={version} className="relative">
          <button
            type="button"
            aria-current={version === saved.version ? 'true' : undefined}
            onClick={() => onVersion(version)}
            className="w-full rounded-control px-2 py-1 text-left hover:bg-hover aria-[current]:bg-sel coarse:min-h-11"
          >
            <strong className="block pr-20 wrap-anywhere">{visible(version)}</strong>
            <span className="block text-note text-ink-2">{sentence}</span>
          </button>
          <span className="absolute top-1 right-2 text-note text-ink-2">
            <Time at={createdAt} label="Made" />
          </span>
        </li>
      ))}
    </ul>
    {onNew && (
      <p className="px-1.5 pb-2">
        <Button
          kind="quiet"
          className="justify-start! px-2! text-left text-link! whitespace-normal!"
          onClick={onNew}
        >
          New version {visible(next)} from {visible(saved.version)}
        </Button>
      </p>
    )}
  </Panel>
);

const CELLS = {
  whole: { glyph: <StateGlyph state="sent" size={13} />, words: 'whole' },
  faulty: { glyph: <StateGlyph state="dead" size={13} />, words: 'lacks something' },
  none: { glyph: <span className="text-ink-3">·</span>, words: 'none' },
} as const;

/** What there is of each locale in each version; the oldest first, as one reads. */
function Matrix({
  saved,
  standing,
  onLocale,
  onAddLocale,
  onFallBack,
}: Omit<Props, 'standing'> & { readonly standing: TemplateStanding }) {
  const { matrix, versions, missing } = standing;
  const columns = versions.map(({ version }, place) => ({ version, place })).toReversed();
  const [lost] = missing;
  const fallback = saved.locales.find(({ locale }) => locale === 'en') ?? saved.locales[0];
  return (
    <Panel title="Locales">
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Versions and locales">
        <table className="w-full text-table">
          <thead>
            <tr>
              <th className="px-3 py-1 text-left text-note font-normal text-ink-2">
                <span className="sr-only">Locale</span>
              </th>
              {columns.map(({ version }) => (
                <th key={version} className="px-1 py-1 text-note font-normal text-ink-2">
                  {visible(version)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {matrix.map(({ locale, cells }) => (
              <tr key={locale} className="border-t border-line">
                <th scope="row" className="px-3 py-1 text-left font-semibold">
                  {saved.locales.some((text) => text.locale === locale) ? (
                    <button
                      type="button"
                      className="min-h-6 min-w-6 text-left underline-offset-3 hover:underline coarse:min-h-11"
                      onClick={() => onLocale(locale)}
                    >
                      {locale}
                    </button>
                  ) : (
                    locale
                  )}
                </th>
                {columns.map(({ version, place }) => {
                  const cell = CELLS[cells[place] ?? 'none'];
                  return (
                    <td key={version} className="px-1 text-center">
                      <span aria-hidden className="inline-block align-middle">
                        {cell.glyph}
                      </span>
                      <span className="sr-only">{cell.words}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {lost && (
        <p className="border-t border-line px-3 py-2 text-note text-ink-2">
          {lost.count === 1 ? '1 person reads' : `${numberWords(lost.count)} people read`}{' '}
          <strong>{visible(lost.locale)}</strong>: no fallback is set, so their mails die.{' '}
          {onFallBack && saved.fallbackLocale === null && fallback && (
            <button
              type="button"
              className="text-link underline underline-offset-3 coarse:min-h-11"
              onClick={() => onFallBack(fallback.locale)}
            >
              Fall back to {fallback.locale}
            </button>
          )}
        </p>
      )}
      {onAddLocale && (
        <p className="border-t border-line px-1.5 py-1.5">
          <Button kind="quiet" className="text-link!" onClick={onAddLocale}>
            Add a locale
          </Button>
        </p>
      )}
    </Panel>
  );
}

/** The one that is chosen feeds all previews. */
function EventChoice({
  events,
  eventId,
  variables,
  onEvent,
}: Props & { readonly events: TemplateStanding['events'] }) {
  const zone = useZone();
  const label = ({ at, topic }: TemplateStanding['events'][number]) =>
    `${whenWords(Date.parse(at), serviceNow(), zone)}, ${visible(topic)}`.slice(0, 80);
  return (
    <Panel title="Event">
      <div className="flex flex-col gap-2 p-3">
        <Choice
          aria-label="Event that feeds the previews"
          value={eventId}
          options={[
            { value: '', label: 'Sample data' },
            ...events.map((event) => ({ value: event.id, label: label(event) })),
          ]}
          onChange={onEvent}
        />
        {variables.length > 0 && (
          <p className="font-mono text-[12px] leading-[17px] text-ink-2 wrap-anywhere">
            {variables.map(({ name }) => visible(name)).join(', ')}
          </p>
        )}
      </div>
    </Panel>
  );
}
