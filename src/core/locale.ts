/** Canonical; undefined for what is no language tag. `fr_CA` is what many systems write. */
export function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/**
 * Which of the locales that there are somebody gets; undefined: none. Without a declared fallback only his own counts.
 * With one, shorter tags of the same script come first: who reads zh-TW gets zh-Hant and never zh.
 */
export function chooseLocale(
  wanted: string,
  available: readonly string[],
  fallback?: string,
): string | undefined {
  const tag = canonicalLocale(wanted);
  if (tag !== undefined && available.includes(tag)) return tag;
  if (fallback === undefined) return undefined;
  const shorter = tag === undefined ? [] : shorterTags(tag);
  return [...shorter, fallback].find((candidate) => available.includes(candidate));
}

function shorterTags(tag: string): string[] {
  const locale = new Intl.Locale(tag);
  const { language, script } = locale.maximize();
  const written = locale.script === undefined ? locale.language : `${locale.language}-${locale.script}`;
  const tags = [locale.baseName, written, `${language}-${script ?? ''}`, language];
  return tags.filter((candidate) => new Intl.Locale(candidate).maximize().script === script);
}

interface TextInfo {
  readonly direction?: 'ltr' | 'rtl';
}

/** How its letters run. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  // A method in newer engines, a property in older ones.
  const locale = new Intl.Locale(tag) as Intl.Locale & { getTextInfo?(): TextInfo; textInfo?: TextInfo };
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction ?? 'ltr';
}
