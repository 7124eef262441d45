/** The languages of the pages, and how one is chosen. */

export const LANGUAGES = ['en', 'it'] as const
export type Language = (typeof LANGUAGES)[number]

/** Own name of each language, for the switch. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', it: 'Italiano' }

/** Locales for `Intl`: English as it is written in Europe, with the day before the month. */
export const LOCALES: Record<Language, string> = { en: 'en-GB', it: 'it-IT' }

/** Returns a path without a language, and with each: `/docs`, `/en/docs`, `/it/docs`. */
export function inEveryLanguage(path: string): string[] {
  return ['', ...LANGUAGES.map((language) => `/${language}`)].map((prefix) => prefix + path)
}

/**
 * Defines texts with the Italian next to the English: `messages({ today: ['Today', 'Oggi'] })`. A translated function takes the same
 * parameters.
 */
export function messages<Texts extends object>(
  texts: {
    [Key in keyof Texts]: readonly [en: Texts[Key], it: NoInfer<Texts[Key]>]
  },
): Record<Language, Texts> {
  const entries = Object.entries<readonly unknown[]>(texts)
  const inLanguage = (index: number) => Object.fromEntries(entries.map(([key, pair]) => [key, pair[index]])) as Texts
  return { en: inLanguage(0), it: inLanguage(1) }
}
