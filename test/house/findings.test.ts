/** Forced casts, suppressions, comments with a question word first and dead citations, counted on small sources. */
import { describe, expect, test } from 'vitest'
import { casts } from '../../scripts/house/casts.mts'
import { citations } from '../../scripts/house/citations.mts'
import { questions } from '../../scripts/house/questions.mts'
import { sourceOf } from '../../scripts/house/source.mts'
import { suppressions } from '../../scripts/house/suppressions.mts'

describe('forced casts', () => {
  const castsIn = (text: string) => casts([sourceOf('src/a.ts', text)])

  test.each([
    'const a = b as never',
    'const a = b as any',
    'const a = <never>b',
    'const a = b as unknown as string',
    'const a = (b as unknown) as string',
    'const a = <string>(b as unknown)',
    "const a = 'x' as 'x'",
    'const a = \'x\' as "x"',
    'const a = -1 as -1',
    'const a = `x` as `x`',
    "const a = { b: 'x' as const }",
    'const a = [1 as const]',
    'const a = <const>true',
  ])('%s', (text) => {
    expect(castsIn(`\n${text}\n`)).toEqual([{ at: 'src/a.ts:2', what: expect.stringMatching(/as |</) }])
  })

  test.each([
    'const a = b as string',
    'const a: unknown = b as unknown',
    "const a = { b: 'x' } as const",
    "const a = ['x', 'y'] as const",
    "const a = { b: 'x' } as const satisfies C",
    "const a = 'x' as 'x' | 'y'",
    "const a = 'as never'",
    '// b as never',
    'type A = never',
  ])('not %s', (text) => {
    expect(castsIn(text)).toEqual([])
  })

  test('two in a line are one place', () => {
    expect(castsIn('const a = [b as never, c as any]')).toEqual([{ at: 'src/a.ts:1', what: 'b as never, c as any' }])
  })
})

describe('suppressions', () => {
  const silencedIn = (text: string) => suppressions([sourceOf('src/a.ts', text)]).map(({ at, what }) => `${at} ${what}`)

  test.each([
    ['// biome-ignore lint/a: because', 'biome-ignore'],
    ['// biome-ignore-all format: because', 'biome-ignore-all'],
    ['// @ts-ignore', '@ts-ignore'],
    ['// @ts-expect-error', '@ts-expect-error'],
    ['/* @ts-nocheck */', '@ts-nocheck'],
    ['/* eslint-disable */', 'eslint-disable'],
    ['// eslint-disable-next-line no-a', 'eslint-disable-next-line'],
  ])('%s', (text, what) => {
    expect(silencedIn(`const a = 1\n${text}\nconst b = 2\n`)).toEqual([`src/a.ts:2 ${what}`])
  })

  test.each(["const a = '// @ts-ignore'", '// A comment about @ts-ignore', 'const b = /@ts-ignore/'])(
    'not %s',
    (text) => {
      expect(silencedIn(text)).toEqual([])
    },
  )
})

describe('comments with a question word first', () => {
  const questionsIn = (text: string) => questions([sourceOf('src/a.ts', text)]).map(({ at, what }) => `${at} ${what}`)

  test.each([
    ['/** What the service says. */', 'What'],
    ['/**\n * Whether it was sent.\n */', 'Whether'],
    ['/* Who pays. */', 'Who'],
    ['// Whoever opens it next.', 'Whoever'],
    ['// nobody listens', 'nobody'],
    ['const a = 1 // Somebody waits.', 'Somebody'],
    ['/** How many there are. */', 'How'],
  ])('%s', (text, word) => {
    expect(questionsIn(`\n${text}\nconst b = 2\n`)).toEqual([`src/a.ts:2 ${word}`])
  })

  test('each is a place of its own, also one below the comment of another line', () => {
    expect(questionsIn('// What.\n\n// How.\n/** Who. */\n')).toEqual([
      'src/a.ts:1 What',
      'src/a.ts:3 How',
      'src/a.ts:4 Who',
    ])
  })

  test.each([
    '/** The answer says what the service has. */',
    '/** Reads it.\n * What follows is the rest. */',
    '// The account of a person\n// who pays.',
    '/** Whole cents. */',
    "const a = '// What is this?'",
  ])('not %s', (text) => {
    expect(questionsIn(text)).toEqual([])
  })
})

describe('citations of what is not there', () => {
  const there = ['docs/there.md', 'src/lib/desk/run.ts', 'test/safety/kill.test.ts', 'scripts', 'src/lib/near/by.ts']
  const citedIn = (text: string, path = 'src/lib/near/a.ts') =>
    citations([sourceOf(path, text)], (file) => there.includes(file)).map(({ at, what }) => `${at} ${what}`)

  test.each([
    ['// as docs/gone.md has it', 'docs/gone.md'],
    ['/** See (design/money). */', 'design/money'],
    ["const a = 'src/lib/gone.ts'", 'src/lib/gone.ts'],
    [`const a = \`see docs/gone \${b}\``, 'docs/gone'],
    ['// The rule of desk/gone.ts.', 'desk/gone.ts'],
    ['// It is so (observed 6).', 'observed 6'],
    ["const section = 'C4, observed 8'", 'observed 8'],
  ])('%s', (text, cited) => {
    expect(citedIn(`\n${text}\n`)).toEqual([`src/lib/near/a.ts:2 ${cited}`])
  })

  test('the line is that of the citation, in a comment of several lines and on a page', () => {
    expect(citedIn('/**\n * One.\n * Two: docs/gone.\n */\n')).toEqual(['src/lib/near/a.ts:3 docs/gone'])
    expect(citedIn('# Title\n\nSee docs/gone.\n', 'README.md')).toEqual(['README.md:3 docs/gone'])
  })

  test.each([
    '// see docs/there.md, and docs/there',
    "const a = 'src/lib/desk/run.ts'",
    '// src/lib/desk/run.ts:12',
    '// by desk/run.ts, near/by.ts and test/safety/kill',
    '// every docs/*.md, src/lib/<room>/ and src/gone-*.ts',
    `const a = \`docs/gone-\${b}\``,
    "import a from '../docs/gone.ts'",
    'const a = /docs\\/gone/',
    "const url = 'https://example.com/docs/gone'",
    "const a = 'desk/gone.ts'",
    '// It was observed.',
  ])('not %s', (text) => {
    expect(citedIn(text)).toEqual([])
  })
})
