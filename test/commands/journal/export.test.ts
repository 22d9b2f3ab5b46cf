import { expect, test } from 'vitest'
import { create } from '../../kit/payment.ts'
import { paydesk, type Surroundings, succeeds } from '../../kit/program.ts'
import { done, ordered, place } from '../../kit/world.ts'

async function linesOf(around: Surroundings, ...flags: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const ended = await succeeds(paydesk(['journal', 'export', '--json', ...flags], around))
  return ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('journal export: every payment as journal show tells it, newest first, and a last line with the head', async () => {
  const around = place()
  const first = await done(create({ key: 'one' }), around)
  await ordered(around, { key: 'two' })
  const lines = await linesOf(around)
  expect(lines).toHaveLength(3)
  expect(lines.map(({ key }) => key)).toEqual(['two', 'one', undefined])
  expect(lines[1]).toEqual((await done(['journal', 'show', String(first.json.journalId)], around)).json)
  const { json } = await done(['journal', 'verify'], around)
  expect(lines[2]).toMatchObject({ entries: 2, journalHead: json.head })
  const plain = await paydesk(['journal', 'export'], around)
  expect(plain.stdout.split('\n')).toHaveLength(4)
})

test('journal export: an empty journal, or a time without payments, gives the last line only', async () => {
  const around = place()
  expect(await linesOf(around)).toMatchObject([{ entries: 0, journalHead: null }])
  await done(create({ key: 'one' }), around)
  expect(await linesOf(around, '--until', '2020-01-01')).toMatchObject([{ entries: 0 }])
  expect(await linesOf(around, '--since', '2020-01-01')).toHaveLength(2)
  expect(await linesOf(around, '-p', 'sandbox-receiver')).toHaveLength(1)
})

test.each([[['--fields', 'key']], [['--query', 'key']], [['--output', 'csv']], [['--since', 'x']]])(
  'journal export: %j is refused (2)',
  async (flags) => {
    expect(await paydesk(['journal', 'export', ...flags], place())).toMatchObject({ code: 2, stdout: '' })
  },
)
