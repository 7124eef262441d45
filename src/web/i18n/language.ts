/** The languages of the pages, and how one is chosen. */

export const LANGUAGES = ['en', 'it'] as const
export type Language = (typeof LANGUAGES)[number]

/** As each calls itself, for the switch. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', it: 'Italiano' }

/** For `Intl`: English as it is written in Europe, with the day before the month. */
export const LOCALES: Record<Language, string> = { en: 'en-GB', it: 'it-IT' }

/** A path without a language, and with each: `/docs`, `/en/docs`, `/it/docs`. */
export function inEveryLanguage(path: string): string[] {
  return ['', ...LANGUAGES.map((language) => `/${language}`)].map((prefix) => prefix + path)
}

/**
 * One text in all languages, side by side. A key that one of them lacks or has too many does not compile:
 * `messages({ en: { today: 'Today' }, it: { today: 'Oggi' } })`.
 */
export function messages<Texts extends object>(
  texts: { en: Texts } & Record<Exclude<Language, 'en'>, NoInfer<Texts>>,
): Record<Language, Texts> {
  return texts
}
