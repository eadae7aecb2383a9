import { ArrowUp } from 'lucide-react';
import { counted, numberWords } from '../../../parts/number-words';

/** Rows do not move under a pointer: those that came in since wait behind this. */
export const NewRows = ({ waiting, onShow }: { readonly waiting: number; readonly onShow: () => void }) =>
  waiting > 0 && (
    <button
      type="button"
      onClick={onShow}
      title={`${counted(waiting, 'line')} came in since`}
      className="figures inline-flex min-h-7 items-center gap-1.5 rounded-full border border-line-strong bg-surface px-3 text-note font-bold hover:bg-hover coarse:min-h-11"
    >
      <ArrowUp aria-hidden size={14} />
      {numberWords(waiting)} new
    </button>
  );
