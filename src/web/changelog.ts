/** The changelog in Italian: the project's, entry by entry. */

const HEADINGS: Record<string, string> = {
  Added: 'Aggiunto',
  Changed: 'Cambiato',
  Fixed: 'Corretto',
  Removed: 'Rimosso',
}
const ENTRY = /^- .+(?:\n {2}.+)*/gm
const TRANSLATION = /^- <!-- (.+) -->\n((?: {2}.+\n?)+)/gm

/** Before its first day the translation has a title and a lead; before each entry, in a comment, the words that the English one begins with. */
export function translatedChangelog(english: string, translation: string): string {
  const [lead = ''] = translation.split('\n- ', 1)
  const entries = translationsOf(translation)
  const days = english.slice(english.indexOf('\n## '))
  return (
    lead.trimEnd() +
    '\n' +
    days
      .replace(/^### (\w+)$/gm, (_, heading: string) => `### ${HEADINGS[heading] ?? heading}`)
      .replace(ENTRY, (entry) => {
        const text = entry.slice(2)
        const begun = entries.find(({ begins }) => text.startsWith(begins))
        return `- ${begun?.text ?? `<span lang="en">${text}</span>`}`
      })
  )
}

export function translationsOf(translation: string): { begins: string; text: string }[] {
  return [...translation.matchAll(TRANSLATION)].map(([, begins = '', text = '']) => ({ begins, text: text.trim() }))
}
