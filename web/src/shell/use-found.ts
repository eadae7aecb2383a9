import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Found } from './finders';
import type { Line } from './line-list';

/** Fewer letters are the beginning of too many names. */
const LEAST = 2;
const PAUSE_MS = 150;

/** What these words are the name of, whatever it is, and at last the mails that they are looked for in. */
export function useFound(text: string): readonly Line[] {
  const navigate = useNavigate();
  const q = text.trim();
  const things = useThings(q);
  if (q.length < LEAST) return [];
  return [
    ...things.map(({ key, label, kind, to }) => ({
      ...{ key, label, aside: kind, run: () => void navigate({ to }) },
    })),
    {
      ...{ key: 'mail', label: `search mail for “${q}”`, aside: 'mail' },
      run: () => void navigate({ to: '/queue', search: { q } }),
    },
  ];
}

function useThings(q: string): readonly Found[] {
  const [found, setFound] = useState<{ readonly q: string; readonly things: readonly Found[] }>();
  useEffect(() => {
    if (q.length < LEAST) return;
    let stale = false;
    const timer = setTimeout(() => {
      // They know many pages' questions: loaded when somebody looks for something.
      void import('./finders')
        .then(({ findThings }) => findThings(q))
        .then((things) => {
          if (!stale) setFound({ q, things });
        });
    }, PAUSE_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [q]);
  return found?.q === q ? found.things : [];
}
