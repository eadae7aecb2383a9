import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ofRecipientPages } from '../../../api/templates';
import { Failure } from '../../../parts/failure';
import { Choice } from '../../../parts/form/inputs';
import { Field } from '../../../parts/form/field';
import { Panel } from '../../../parts/panel';
import { SkeletonRows } from '../../../parts/skeleton';
import { useMe } from '../../../session';

/** What those who get mail see: the pages themselves, in frames in which nothing can be pressed. */
export function RecipientPagesSection() {
  const { locale: asked } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { workspaceId } = useMe();
  const { data, error, refetch } = useQuery(ofRecipientPages());
  if (!data)
    return error ? (
      <Failure error={error} what="the pages of recipients" onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows rows={6} />
    );
  const locale = data.locales.find((each) => each.locale === asked) ?? data.locales[0];
  if (!locale) return null;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-end gap-x-6 gap-y-2">
        <Field label="As a reader of" className="w-48">
          <Choice
            value={locale.locale}
            options={data.locales.map((each) => ({ value: each.locale, label: each.language }))}
            onChange={(next) => void navigate({ to: '/settings/recipient-pages', search: { locale: next } })}
          />
        </Field>
        <p className="max-w-prose flex-1 basis-72 text-table text-ink-2">
          They carry your name and address from Workspace, and need no script, no font and no cookie. Here
          somebody is shown who does not exist, and nothing can be pressed.
        </p>
      </div>
      <div className="grid gap-4 lg:grid-cols-2 xl:grid-cols-3">
        {data.pages.map(({ name, title, when }) => (
          <Panel key={name} title={title}>
            <p className="px-3.5 pt-2 text-note text-ink-2">{when}</p>
            <div className="p-3.5">
              <iframe
                key={locale.locale}
                src={`/api/recipient-pages/${name}?locale=${locale.locale}&workspace=${encodeURIComponent(workspaceId)}`}
                title={`${title}, in ${locale.language}`}
                sandbox=""
                referrerPolicy="no-referrer"
                loading="lazy"
                className="h-[640px] w-full max-w-[390px] rounded-panel border border-line bg-white"
              />
            </div>
          </Panel>
        ))}
      </div>
    </div>
  );
}
