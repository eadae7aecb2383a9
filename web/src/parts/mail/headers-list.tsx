import { visible } from '../visible';

/** Headers as people read them, where there is little room. */
export const HeadersList = ({
  headers,
  label,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
}) => (
  <dl
    aria-label={label}
    dir="ltr"
    className="rounded-panel border border-line px-3.5 py-2 font-mono text-mono wrap-anywhere"
  >
    {Object.entries(headers).map(([name, value]) => (
      <div key={name} className="py-0.5">
        <dt className="inline font-semibold">{visible(name)}: </dt>
        <dd className="inline">
          <bdi>{visible(value)}</bdi>
        </dd>
      </div>
    ))}
  </dl>
);
