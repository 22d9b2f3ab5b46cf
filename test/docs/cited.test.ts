/** Every cited page, anchor and section exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../src/lib/contract/operations.ts'
import { signIn } from '../../src/lib/contract/sign-in.ts'
import { anchors, folders, pages, root } from './typed/page.ts'

const readable = /\.(ts|mts|js|md|json|yaml|py|http)$/

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() && readable.test(entry.name) ? [path] : []
  })
}

const files = ['src', 'test', 'scripts', 'schemas', 'docs', 'bin'].flatMap((folder) => filesBelow(join(root, folder)))
const texts = [
  ...files,
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((name) => join(root, name)),
].map((file) => [relative(root, file), readFileSync(file, 'utf8')] as const)

/** Every place that a pattern finds, as "file: text". */
function places(pattern: RegExp): { readonly file: string; readonly found: string }[] {
  return texts.flatMap(([file, text]) => [...text.matchAll(pattern)].map(([found]) => ({ file, found })))
}

test('every page has each of its anchors once', () => {
  const headings = [...pages.values()].flatMap((text) => [...text.matchAll(/^#{1,4} .+$/gm)])
  expect(anchors.size).toBe(headings.length)
})

test('every cited anchor exists', () => {
  const cited = places(/\b(?:service|money-safety|glossary)\.md#[\w-]+/g)
  expect(cited.length).toBeGreaterThan(80)
  expect(cited.filter(({ found }) => !anchors.has(found))).toEqual([])
})

/** Names of pages are written from one of these. */
const written = ['docs', 'docs/how-to', 'docs/reference', 'docs/reference/commands', ...folders]

test('every cited document exists', () => {
  const cited = places(/(?<![\w/.-])[\w./-]*[\w-]\.md\b/g)
  expect(cited.length).toBeGreaterThan(80)
  const missing = cited.filter(({ file, found }) => {
    const candidates = [
      join(root, found),
      join(root, dirname(file), found),
      ...written.map((folder) => join(root, folder, found)),
    ]
    return !candidates.some((path) => existsSync(path))
  })
  expect(missing).toEqual([])
})

test('every source that a page names exists', () => {
  const named = places(/`(?:src|test|scripts|docs)\/[\w./-]+`/g).filter(({ file }) => file.endsWith('.md'))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ found }) => !existsSync(join(root, found.slice(1, -1))))).toEqual([])
})

// In pieces, so that this file does not hold what it looks for.
const outside = [
  ['a numbered section of a collection of notes', ['observ', 'ed \\[?\\d']],
  ['the collection itself', ['observ', 'ed\\.md|observ', 'ations? \\(\\d']],
  ['a folder of design pages', ['(?<!\\w)des', 'ign/\\w']],
  ['a folder of specification pages', ['(?<!\\w)sp', 'ec/\\w']],
] as const

/** It names where its files stand in repositories of other people. */
const foreignSources = 'test/vectors/pain001/expected.json'

test.each(outside)('%s is cited nowhere', (_what, pieces) => {
  const cited = places(new RegExp(pieces.join(''), 'gi'))
  expect(cited.filter(({ file }) => file !== foreignSources)).toEqual([])
})

test('no number in brackets stands for a section of another document', () => {
  const cited = texts
    .filter(([file]) => file.startsWith('src/lib/contract/'))
    .flatMap(([file, text]) => {
      const comments = text.match(/\/\*[\s\S]*?\*\/|\/\/.*$/gm) ?? []
      return comments.filter((comment) => /\[\d+(, \d+)*\]/.test(comment)).map((comment) => [file, comment])
    })
  expect(cited).toEqual([])
})

const specified = /^(A[12]|B[1-4]|C[1-4]|D|Authentication)$/

test('every cited section of the endpoints exists in the specification', () => {
  const cited = places(/\bspecification,? \(?[A-D]\d/g)
  expect(cited.length).toBeGreaterThan(5)
  expect(cited.filter(({ found }) => !specified.test(found.slice(-2)))).toEqual([])
})

test.each([...operations, signIn].map(({ name, section }) => [name, section]))(
  'the section of %s can be looked up: %s',
  (_name, section) => {
    const unknown = section.split(', ').filter((place) => !specified.test(place) && !anchors.has(place))
    expect(unknown).toEqual([])
  },
)
