import type { NotificationJob } from '../core/mail-job.js';
import type { SendError } from '../core/report.js';
import { forPeople } from '../core/text.js';
import type { TemplateVersion } from '../store/scripts/templates.js';
import type { TemplateFault } from './source.js';

/** Why a notification has no text, as its message dies of it. */
export const notFound = ({ id, version }: NotificationJob['template']): SendError => {
  const name = `“${forPeople(id, 80)}”${version === undefined ? '' : ` ${forPeople(version, 40)}`}`;
  return permanent('template_not_found', `there is no template ${name}`);
};

export const missingLocale = (
  { templateId, version }: TemplateVersion,
  wanted: string,
  locales: readonly string[],
): SendError =>
  permanent(
    'template_missing_locale',
    `template “${templateId}” ${version} has no text in ${forPeople(wanted, 40)}, only in ${forPeople(locales.join(', '), 200)}`,
  );

/** Time and memory are the machine's as much as the template's: such a mail is tried again. */
export function renderFault(
  { templateId, version }: TemplateVersion,
  locale: string,
  { code, message, part, line }: TemplateFault,
): SendError {
  const isForNow = code === 'template_too_slow' || code === 'template_too_large';
  const place = [`${templateId} ${version}`, locale, part, line === undefined ? undefined : `line ${line}`];
  const words = `${place.filter((each) => each !== undefined).join(', ')}: ${message}`;
  return { ...permanent(code, words), ...(isForNow && { class: 'retryable' }) };
}

const permanent = (code: string, message: string): SendError => ({
  ...{ class: 'permanent', scope: 'message' },
  ...{ code, message },
});
