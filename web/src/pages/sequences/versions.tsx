import { useQuery } from '@tanstack/react-query';
import { ofVersions, readVersion } from '../../api/sequences';
import type { Sequence } from '../../api/types';
import { Button } from '../../parts/button';
import { faultWords } from '../../parts/fault-words';
import { Panel } from '../../parts/panel';
import { showToast } from '../../parts/toast';
import { Time } from '../../time/time';

interface Props {
  readonly saved: Sequence;
  readonly onBring?: (steps: Sequence['steps'], version: number) => void;
}

/** Saving makes one; what was launched keeps its own. */
export function Versions({ saved, onBring }: Props) {
  const { data } = useQuery(ofVersions(saved.id));
  const bring = (version: number) =>
    void readVersion(saved.id, version)
      .then(({ steps }) => onBring?.(steps, version))
      .catch((error: unknown) => showToast({ text: faultWords(error), tone: 'fault' }));
  return (
    <Panel title="Versions" note="launched campaigns keep theirs">
      <ul className="max-h-56 overflow-y-auto">
        {data?.items.map(({ version, createdAt }) => (
          <li
            key={version}
            className="flex min-h-9 flex-wrap items-center gap-x-3 border-t border-line px-3.5 py-1 text-table first:border-t-0"
          >
            <strong>{version}</strong>
            <span className="mr-auto text-ink-2">
              <Time at={createdAt} label="Saved" />
            </span>
            {version === saved.version ? (
              <span className="text-note text-ink-2">the present one</span>
            ) : (
              onBring && (
                <Button
                  kind="quiet"
                  aria-label={`Bring version ${String(version)} back`}
                  onClick={() => bring(version)}
                >
                  Bring back
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
