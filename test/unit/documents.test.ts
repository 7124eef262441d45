/** The maintainers' documents: every name in them exists, and each package is explained. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')
const IN_PROJECT = ['*.md', '{src,jobs,models,sql,test}/**/*.md']
const files = globSync(['*', '.*', '{src,jobs,models,sql,test}/**/*'], { cwd: ROOT })
const guides = globSync(IN_PROJECT, { cwd: ROOT }).filter((file) => /README|CONTRIBUTING/.test(file))
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '')

/** Anchors as GitHub generates them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

it('README.md is shorter than 10 kB', () => {
  expect(statSync(path.join(ROOT, 'README.md')).size).toBeLessThan(10_000)
})

describe.each(guides)('%s', (file) => {
  const text = withoutCode(textOf(file))

  it('links only to existing files and headings', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    const dead = links.filter(([, target = '', anchor]) => {
      const leadsTo = target === '' ? file : path.join(path.dirname(file), target)
      if (!existsSync(path.join(ROOT, leadsTo))) return true
      return anchor !== undefined && !anchorsOf(textOf(leadsTo)).includes(anchor)
    })
    expect(dead.map(([link]) => link)).toEqual([])
  })

  it('mentions only existing files', () => {
    const named = [...text.matchAll(/`([\w.-][\w./-]*\.(?:ts|sql|sh|json|yaml|txt|md))`/g)].map(([, name = '']) => name)
    const exists = (name: string) => files.some((one) => one === name || one.endsWith(`/${name}`))
    expect(named.filter((name) => !exists(path.normalize(name).replace(/^(\.\.\/)+/, '')))).toEqual([])
  })

  it('mentions only existing npm scripts', () => {
    const { scripts } = JSON.parse(textOf('package.json'))
    const named = [...textOf(file).matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

it('src/README.md lists exactly the folders of src', () => {
  const files = globSync('src/*/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules'] })
  const folders = new Set(files.map((file) => file.split(path.sep)[1]))
  const listed = [...textOf('src/README.md').matchAll(/^\| \[(\w+)\]/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual([...folders].sort())
})

it('CONTRIBUTING.md lists every dependency', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(textOf('package.json'))
  const packages = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
  const guide = textOf('CONTRIBUTING.md')
  expect(packages.filter((name) => !name.startsWith('@types/') && !guide.includes(`\`${name}\``))).toEqual([])
})
