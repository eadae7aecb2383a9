import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Empty } from '../../parts/empty';
import { useMay } from '../../session';
import { TopBar } from '../../shell/top-bar';

const SECTIONS = [
  { to: '/settings/workspace', label: 'Workspace' },
  { to: '/settings/sending', label: 'Sending' },
  { to: '/settings/people', label: 'People', admin: true },
  { to: '/settings/keys', label: 'API keys', admin: true },
  { to: '/settings/suppressions', label: 'Suppressions' },
  { to: '/settings/recipient-pages', label: 'Recipients’ pages' },
  { to: '/settings/audit', label: 'Audit log', admin: true },
  { to: '/settings/you', label: 'You' },
];

export function SettingsPage() {
  const admin = useMay('admin');
  const { pathname } = useLocation();
  const sections = SECTIONS.filter((section) => section.admin !== true || admin);
  const here = SECTIONS.find(({ to }) => pathname === to);
  return (
    <>
      <TopBar title={here?.label ?? 'Settings'} within={{ label: 'Settings', to: '/settings' }} />
      <div className="flex gap-4 p-5 max-lg:flex-col max-sm:p-3.5">
        <nav aria-label="Settings" className="w-40 shrink-0 max-lg:w-full">
          <ul className="max-lg:flex max-lg:flex-wrap">
            {sections.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  aria-current={pathname === to ? 'page' : undefined}
                  className="block rounded-control border border-transparent px-2.5 py-1 text-ink-2 no-underline hover:bg-hover aria-[current]:border-line aria-[current]:bg-surface aria-[current]:font-bold aria-[current]:text-ink coarse:py-3"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0 flex-1">
          {here?.admin === true && !admin ? (
            <Empty title="Only an admin of this workspace sees this." />
          ) : (
            <Outlet />
          )}
        </div>
      </div>
    </>
  );
}
