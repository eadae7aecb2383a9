import { Link } from '@tanstack/react-router';
import type { Import } from '../../../api/types';
import { numberWords } from '../../../parts/number-words';
import { Panel } from '../../../parts/panel';
import { Untrusted } from '../../../parts/untrusted';
import { shareOf } from './columns';
import { BECOMES } from './mapping';

const WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  BECOMES.map(({ value, label }) => [value, label]),
);

/** It runs, or has: the mapping is fixed. */
export const ColumnsChosen = ({ known }: { readonly known: Import }) => (
  <Panel
    title="Columns"
    note="chosen before the start"
    aside={
      <Link to="/contacts/$contactId" params={{ contactId: 'import' }}>
        Import again with other columns
      </Link>
    }
  >
    <ul>
      {known.columns.map(({ name, filled }) => {
        const becomes = known.mapping?.[name] ?? null;
        return (
          <li
            key={name}
            className="flex flex-wrap items-baseline gap-x-3 border-t border-line px-3.5 py-2 text-table first:border-t-0"
          >
            <code className="min-w-0 flex-1 basis-32 wrap-anywhere">
              <Untrusted text={name} />
            </code>
            <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
              <span aria-hidden className="text-ink-3">
                →{' '}
              </span>
              {becomes === null ? (
                <span className="text-ink-2">stays in the file</span>
              ) : WORDS[becomes] === undefined ? (
                <code>
                  <Untrusted text={`contact.${becomes}`} />
                </code>
              ) : (
                <strong>{WORDS[becomes]}</strong>
              )}
            </span>
            <span className="figures text-ink-2" title={`${numberWords(filled)} lines`}>
              {shareOf(filled, known.lines)}
            </span>
          </li>
        );
      })}
    </ul>
  </Panel>
);
