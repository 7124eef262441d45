/** Words that this project does not use, in code, documents and commit subjects: CONTRIBUTING.md, "How we write". */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')
const COMMITS_CHECKED = 50

/** Each with its replacement. */
const REPLACEMENTS: [RegExp, string][] = [
  [/\bspeak(s|ers?|ing)?\b/i, 'predict, active model'],
  [/Desk\b/, 'Service'],
  [/\bturnstile\b/i, 'throttle'],
  [/giveBack|takeBack/, 'refund, return, release, requeue'],
  [/\bin vain\b/i, 'failed'],
  [/\bstand-?in\b/i, 'fallback'],
  [/\b(is|are|was|were) told\b/i, 'is reported, is logged'],
  [/\borNone\b/, 'undefinedIfNotFound'],
  [/\bstays standing\b/i, 'remains'],
  [/\bheld (against|to account)\b/i, 'checked against'],
  [/\banew\b/i, 'again'],
  [/\bgo(es)? on (after|from|to)\b/i, 'continues, resumes'],
  [/\bfaults? of ours\b/i, 'internal error'],
  [/\bby night\b|\bon the evening\b/i, 'at night, in the evening'],
  [/\bbelongs? into\b|\bno sense\b|\bwas not to be had\b/i, 'belongs in, makes no sense, was not available'],
  [/\bwhoever\b/i, 'the reader, the caller, any process'],
  [/Wanted|Asked\b/, 'Requested, Request'],
  [/\bthe clock changes\b/i, 'the change day'],
  [/\b80 %/, '80%'],
]

const EXCLUDED = [
  // Released, hence never edited.
  'sql/migrations/**',
  '**/*.generated.*',
  '**/_generated.py',
  'src/web/openapi.json',
  'test/fixtures/**',
  'test/unit/wording.test.ts',
  '**/node_modules/**',
]
const files = globSync(['*.md', '{src,jobs,models,test}/**/*.{ts,js,py,md,css}', 'sql/**/*.sql', 'src/web/docs/**'], {
  cwd: ROOT,
  exclude: [...EXCLUDED, 'THIRD-PARTY.md', 'sql/schema.sql'],
}).filter((file) => path.extname(file) !== '' && !/\.(png|svg)$/.test(file))

it('source and documents avoid the listed words', () => {
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => findUnusual(line).map((words) => `${file}:${i + 1}: ${words}`)),
  )
  expect(found).toEqual([])
})

it.skipIf(!existsSync(path.join(ROOT, '.git')))('commit subjects are "area: imperative" without listed words', () => {
  const log = execFileSync('git', ['log', `-${COMMITS_CHECKED}`, '--no-merges', '--format=%s'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const subjects = log.trim().split('\n')
  const wrong = subjects.filter((one) => !/^[a-z][\w, -]*: [^A-Z\s].{0,70}[^.]$/.test(one) || one.length > 72)
  expect([...wrong, ...subjects.flatMap(findUnusual)]).toEqual([])
})

function findUnusual(line: string): string[] {
  return REPLACEMENTS.flatMap(([words, instead]) => {
    const match = words.exec(line)
    return match === null ? [] : [`"${match[0]}": write ${instead}`]
  })
}
