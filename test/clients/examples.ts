/** The documentation's recipes: each in two languages, after common first lines, with the output of both. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const FOLDER = path.join(import.meta.dirname, '../../src/web/docs')

export interface Recipe {
  title: string
  js: string
  python: string
  output: string
}

export const recipes = recipesIn('recipes.md')

function recipesIn(file: string): Recipe[] {
  const [start = '', ...sections] = readFileSync(path.join(FOLDER, file), 'utf8').split(/^## /m)
  const blockIn = (text: string, language: string) =>
    new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? ''
  return sections.map((section) => {
    const block = (language: string) => {
      const code = blockIn(section, language)
      return /^(?:import|from) /.test(code) ? code : blockIn(start, language) + code
    }
    return {
      title: section.slice(0, section.indexOf('\n')),
      js: block('js'),
      python: block('python'),
      output: blockIn(section, 'text'),
    }
  })
}
