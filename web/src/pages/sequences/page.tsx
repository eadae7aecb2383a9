import { useParams, useSearch } from '@tanstack/react-router';
import { SequenceEditorPage } from './editor';
import { SequenceList } from './list';

export function SequencesPage() {
  const { sequenceId } = useParams({ strict: false });
  const { q, step, contactId, cursor } = useSearch({ strict: false });
  if (sequenceId === undefined) return <SequenceList q={q} cursor={cursor} />;
  return <SequenceEditorPage key={sequenceId} id={sequenceId} step={step} contactId={contactId} />;
}
