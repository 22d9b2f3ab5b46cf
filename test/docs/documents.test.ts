/** Every document whose blocks hold command lines has a test that types them; the lines of the house name what is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shellLines } from '../kit/docs/command-lines.ts'
import { root } from '../kit/docs/page.ts'

/** Those that type every line of a document, or fail. Its own lines are those below `docs/commands`: test/docs/examples.test.ts. */
const typedBy: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['readme-lines'],
  'docs/backup.md': ['backup'],
  'docs/batches.md': ['batches-tour'],
  'docs/developers.md': ['developers'],
  'docs/reconciliation.md': ['reconciliation'],
  'docs/support.md': ['support'],
  'docs/teams.md': ['teams', 'four-eyes'],
}

/** Lines for those who work on paydesk itself. */
const ofTheHouse = ['CONTRIBUTING.md', 'src/README.md']

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = ['', 'src/', 'docs/', 'docs/internals/'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`),
)

test('every document with lines to type is known here', () => {
  const withLines = documents.filter((path) => shellLines(read(path)).length > 0)
  expect(withLines.toSorted()).toEqual([...Object.keys(typedBy), ...ofTheHouse].toSorted())
})

test.each(Object.entries(typedBy))('%s is read by what types it', (path, tests) => {
  for (const name of tests) expect(read(`test/docs/${name}.test.ts`), name).toContain(path)
})

test.each(ofTheHouse)('the lines of %s name scripts and files that are there', (path) => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  for (const line of shellLines(read(path)).flatMap((each) => each.split(' && '))) {
    const [, script] = /^npm run ([\w:]+)(?:(?: --)? [\w/-]+)?$/.exec(line) ?? []
    const [, file] = /^(?:npx vitest run|\.) ?(\S+)( …)?$/.exec(line.replace('./', '. ')) ?? []
    if (script) expect(scripts[script], line).toBeDefined()
    else if (file) expect(existsSync(join(root, file)), line).toBe(true)
    else expect(['npm ci', 'npm test'], path).toContain(line)
  }
})
