import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodes } from '../src/lib/cli/help/explain.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('the README shows the table of exit codes as the program has it', () => {
  for (const { code, name, means, moneyMoved } of exitCodes()) {
    expect(readme).toContain(`| ${code} | ${name} | ${means} | ${moneyMoved} |`)
  }
})

test('every command that the README names exists', () => {
  const named = [...readme.matchAll(/(?:^|[^\w-])(?:paydesk|node bin\/run\.js) ((?:[a-z]+ ?)+)/gm)].map(
    ([, words = '']) => words.trim().split(' '),
  )
  expect(named.length).toBeGreaterThan(15)
  for (const words of named) {
    const paths = words.map((_, index) => join(root, 'src', 'commands', `${words.slice(0, index + 1).join('/')}`))
    expect(
      paths.some((path) => existsSync(`${path}.ts`) || existsSync(path)),
      words.join(' '),
    ).toBe(true)
  }
})

test('every path that the README links to exists', () => {
  for (const [, path = ''] of readme.matchAll(/\]\(([^)]+)\)|`((?:src|test)\/[\w./-]+)`/g)) {
    if (path) expect(existsSync(join(root, path)), path).toBe(true)
  }
})
