import { useParams, useSearch } from '@tanstack/react-router';
import { TemplateEditorPage } from './editor-page';
import { TemplateList } from './list';

export function TemplatesPage() {
  const { templateId } = useParams({ strict: false });
  const { version, locale, cursor } = useSearch({ strict: false });
  if (templateId === undefined) return <TemplateList cursor={cursor} />;
  return <TemplateEditorPage key={templateId} id={templateId} version={version} locale={locale} />;
}
