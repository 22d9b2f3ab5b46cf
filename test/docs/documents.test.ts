/** The pages as a set: links lead somewhere, sizes, the index, and lines for those who work on paydesk itself. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { shellLines } from './typed/command-lines.ts'
import { headingsOf, root, slugOf } from './typed/page.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
const ofDocs = below('docs').filter((path) => path.endsWith('.md'))
const atRoot = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
/** Lines for those who work on paydesk itself. */
const ofTheHouse = ['CONTRIBUTING.md', 'src/README.md']
const documents = [...atRoot, 'src/README.md', ...ofDocs]

const isGenerated = (path: string) => read(path).includes('<!-- Made by ')

/** The links of a page as paths from the root, with the anchor; those to other machines are left out. */
function linksOf(path: string): readonly { readonly to: string; readonly anchor: string | undefined }[] {
  const text = read(path).replace(/^```[\s\S]*?^```/gm, '')
  const found = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return found
    .filter((link) => !/^https?:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#')
      return { to: file === '' ? path : relative('.', join(dirname(path), file)), anchor }
    })
}

test.each(documents)('%s: every link leads somewhere', (path) => {
  const dead = linksOf(path).filter(({ to, anchor }) => {
    if (!existsSync(join(root, to))) return true
    return anchor !== undefined && !headingsOf(read(to)).map(slugOf).includes(anchor)
  })
  expect(dead).toEqual([])
})

/** Where the form of the changelog and of versions is told: the only addresses that pages link to. */
const otherMachines = ['https://keepachangelog.com/en/1.1.0/', 'https://semver.org/']

test('pages link to no other machine than those known here', () => {
  const linked = documents.flatMap((path) => [...read(path).matchAll(/\]\((https?:[^)\s]+)\)/g)].map(([, to]) => to))
  expect(linked.filter((to) => !otherMachines.includes(String(to)))).toEqual([])
})

test('README.md has 9,000 to 12,000 characters, and no page that people write more than 12,000', () => {
  expect(read('README.md').length).toBeGreaterThan(9000)
  const long = documents.filter((path) => path !== 'src/README.md' && !isGenerated(path) && read(path).length > 12_000)
  expect(long).toEqual([])
})

test('the index names every page', () => {
  const linked = new Set(linksOf('docs/README.md').map(({ to }) => to))
  const own = ofDocs.filter(
    (path) => !path.startsWith('docs/internals/') && !/^docs\/reference\/commands\/(?!README)/.test(path),
  )
  expect(own.filter((path) => path !== 'docs/README.md' && !linked.has(path))).toEqual([])
})

test('no page of the package but CONTRIBUTING.md links to what is not in the package', () => {
  const outside = documents
    .filter((path) => !ofTheHouse.includes(path) && !path.startsWith('docs/internals/'))
    .flatMap(linksOf)
    .filter(({ to }) => /^(src|test|scripts|docs\/internals)\b/.test(to))
  expect(outside).toEqual([])
})

test('every picture is shown by a page', () => {
  const shown = new Set(documents.flatMap((path) => linksOf(path).map(({ to }) => to)))
  const pictures = below('docs/pictures').filter((path) => statSync(join(root, path)).isFile())
  expect(pictures.filter((path) => !shown.has(path))).toEqual([])
})

test('scripts and parts that CONTRIBUTING.md names are there', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  const named = [...read('CONTRIBUTING.md').matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
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
