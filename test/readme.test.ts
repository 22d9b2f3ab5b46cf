import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodes } from '../src/lib/cli/exit-codes.ts'
import { daily, figures } from './figures.ts'

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

test('the README says as much of the tests as they do', () => {
  const words = (count: number) => count.toLocaleString('en')
  const { stories, teams, tries, pairs, processes, mebibytes, callbacks, kills } = figures
  for (const said of [
    `(${stories[1]} of them in \`npm test\`, ${stories[0]} in continuous integration)`,
    `killed with \`kill -9\`, ${processes[0]} at once, full disk, damaged journal, ${mebibytes[0]} MiB through a pipe`,
    `${tries[0]} tries at once, commands of one process,`,
    `by ${pairs[0]} processes, too`,
    `(${tries[1]} tries and ${pairs[1]} processes in \`npm test\`)`,
    `(${processes[1]} at once and ${mebibytes[1]} MiB in \`npm test\`)`,
    `${words(callbacks[0])} callbacks while the listener is killed ${kills[0]} times`,
    `(${callbacks[1]} and ${kills[1]} in \`npm test\`)`,
    `(one in ${daily.faultShare[1]} of them in \`npm test\`, others each time; one in ${daily.faultShare[0]} in continuous integration)`,
    `(${teams[1]} of them in \`npm test\`, ${teams[0]} in continuous integration)`,
    `(one in ${daily.crashShare[1]} of them in \`npm test\`, others each time; one in ${daily.crashShare[0]} in continuous integration; of the team's one in ${daily.teamCrashShare[1]} and one in ${daily.teamCrashShare[0]})`,
    `${daily.envelopes} envelopes of other clients; Wycheproof's ${daily.wycheproof} files`,
    `${words(daily.fuzzed)} mutated envelopes`,
    `(${words(daily.mutated)} of them in \`npm test\`)`,
  ]) {
    expect(readme).toContain(said)
  }
})
