/** Our sign, for the one page that is not of the admin UI; the UI has the same in `web/src/shell/pillarbox.svg`. */
export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" role="img" aria-label="Pillarbox">
  <path fill="#B8121F" d="M12 1.2c4.6 0 7.4 1.7 8 4.1H4c.6-2.4 3.4-4.1 8-4.1zM5 8.4h14V20H5z"/>
  <rect fill="#8E0C17" x="3.2" y="5.9" width="17.6" height="1.9" rx=".6"/>
  <rect fill="#0B0F13" x="7.2" y="9.9" width="9.6" height="1.9" rx=".5"/>
  <rect fill="#FFF8E7" x="8.7" y="13.3" width="6.6" height="4.1" rx=".4"/>
  <path stroke="#16202B" stroke-width=".8" d="M9.9 14.7h4.2M9.9 16h2.8"/>
  <path fill="#0B0F13" d="M4 20.6h16v2.2H4z"/>
</svg>
`;
