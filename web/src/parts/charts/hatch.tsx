import { useId } from 'react';

/** What is to come is hatched, wherever it is drawn. Answers the pattern and the `fill` that names it. */
export function useHatch(): readonly [pattern: React.ReactNode, fill: string] {
  const id = `hatch${useId().replaceAll(/\W/g, '')}`;
  return [
    <defs key={id}>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" fill="var(--surface)" />
        <rect width="1.6" height="5" fill="var(--bar)" />
      </pattern>
    </defs>,
    `url(#${id})`,
  ];
}
