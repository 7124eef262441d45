/** Texts of the changelog. */
import { messages } from './language.ts'

export const changeTexts = messages({ en: { title: 'Changelog' }, it: { title: 'Novità' } })
