/** Dome, collar, mouth, plate, plinth. */
export const Mark = ({ size = 26 }: { readonly size?: number }) => (
  <svg aria-hidden viewBox="0 0 24 24" width={size} height={size}>
    <path fill="var(--brand)" d="M12 1.2c4.6 0 7.4 1.7 8 4.1H4c.6-2.4 3.4-4.1 8-4.1zM5 8.4h14V20H5z" />
    <rect fill="var(--brand-deep)" x="3.2" y="5.9" width="17.6" height="1.9" rx=".6" />
    <rect fill="#0b0f13" x="7.2" y="9.9" width="9.6" height="1.9" rx=".5" />
    <rect fill="#fff8e7" x="8.7" y="13.3" width="6.6" height="4.1" rx=".4" />
    <path stroke="#16202b" strokeWidth=".8" d="M9.9 14.7h4.2M9.9 16h2.8" />
    <path className="dark:stroke-line-strong" strokeWidth=".6" fill="#0b0f13" d="M4 20.6h16v2.2H4z" />
  </svg>
);
