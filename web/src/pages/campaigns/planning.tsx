import { useQuery } from '@tanstack/react-query';
import { ofSchedule } from '../../api/campaigns';
import { numberWords } from '../../parts/number-words';
import { durationWords } from '../../time/words';

const BAR =
  'block h-1.5 w-full appearance-none overflow-hidden rounded-mark bg-grid [&::-moz-progress-bar]:bg-bar [&::-webkit-progress-bar]:bg-grid [&::-webkit-progress-value]:bg-bar';

/** How far a launch is that takes longer. It lives at the server: a reload finds it again, and nobody need wait. */
export function Planning({ id }: { readonly id: string }) {
  const { data } = useQuery(ofSchedule(id));
  if (!data || data.progress.planned >= data.progress.total) return null;
  const { planned, total, etaSeconds } = data.progress;
  const left =
    etaSeconds === null
      ? ''
      : etaSeconds < 1
        ? ', under 1 s left'
        : `, about ${durationWords(etaSeconds * 1_000)} left`;
  return (
    <div className="rounded-panel border border-line bg-surface px-4 py-3 text-table">
      <progress value={planned} max={total} aria-label="Mails planned" className={BAR} />
      <p className="figures mt-2">
        {numberWords(planned)} of {numberWords(total)} planned{left}.{' '}
        <span className="text-ink-2">It goes on when this page is closed.</span>
      </p>
    </div>
  );
}
