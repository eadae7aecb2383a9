/** A pillar box, with the first letter in its mouth. */
export const Box = () => (
  <svg aria-hidden viewBox="0 0 222 454" className="w-full text-line-strong">
    <g fill="none" stroke="currentColor" strokeWidth="2">
      <path d="M9 54C18 20 60 2 111 2s93 18 102 52z" />
      <rect x="1" y="54" width="220" height="20" rx="4" />
      <path d="M19 74h184v334H19z" />
      <rect x="58" y="158" width="106" height="81" rx="2" />
      <rect x="44" y="266" width="134" height="118" rx="2" />
      <path d="M9 408h204v45H9z" />
    </g>
    <rect x="49" y="110" width="124" height="20" rx="3" className="fill-primary" />
    <g className="fill-surface stroke-brand" strokeWidth="1.8" transform="rotate(-5 111 102)">
      <path d="M68 85h87v34H68z" />
      <path d="m68 85 43 22 44-22" fill="none" />
    </g>
  </svg>
);
