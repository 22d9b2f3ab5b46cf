import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { linkHash } from '../../../src/lib/store/chain/chain.ts'
import { rowDigest } from '../../../src/lib/store/journal/digest.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { type Ended, newHome, paydesk, succeeds } from '../../kit/program.ts'
import { journalFile, tamper, valueIn } from '../../kit/store.ts'
import { addFault } from '../../kit/world.ts'

interface Finding {
  readonly kind: string
  readonly link: number | null
  readonly row: string | null
  readonly words: string
}

/** In the middle of a minute, so that what is spent stands in one row. */
const moment = Date.parse('2026-11-20T06:00:20Z')

async function pay(home: string, amount: string): Promise<Ended> {
  const ended = await succeeds(paydesk([...create({ amount }), '--json'], { home, clock: hurriedClock(moment) }))
  return ended
}

const verify = (home: string, ...more: readonly string[]) => paydesk(['journal', 'verify', '--json', ...more], { home })

/** Three payments, and the head that the receipt of each printed. */
async function makeThree() {
  const home = newHome()
  const receipts = [await pay(home, '1'), await pay(home, '2'), await pay(home, '3')]
  const ids = receipts.map(({ json }) => String(json.journalId))
  const heads = receipts.map(({ json }) => String(json.journalHead))
  return { home, ids, heads }
}

let made: ReturnType<typeof makeThree> | undefined

/** A copy of their home, for a test to tamper with. */
async function three() {
  made ??= makeThree()
  const { home: first, ...rest } = await made
  const home = newHome()
  cpSync(first, home, { recursive: true })
  return { home, ...rest }
}

/** The findings of a journal that was tampered with. */
async function findings(home: string, ...more: readonly string[]): Promise<readonly Finding[]> {
  const ended = await verify(home, ...more)
  expect(ended.code, ended.stdout).toBe(1)
  expect(ended.json).toMatchObject({ intact: false, moreFindings: 0 })
  expect(ended.error).toMatchObject({ name: 'bug', message: expect.stringMatching(/changed outside paydesk/) })
  return ended.json.findings as Finding[]
}

/** Makes the digest of a row anew, as somebody would who knows how. */
const anew = async (home: string, table: 'intents' | 'attempts', where: string) => {
  const database = new DatabaseSync(journalFile(home))
  const row = database.prepare(`select * from ${table} where ${where}`).get() as Record<string, unknown>
  database.prepare(`update ${table} set digest = ? where ${where}`).run(rowDigest(row))
  database.close()
}

test('journal verify: an intact journal is told (0) with the head that the last receipt printed', async () => {
  const { home, heads } = await three()
  expect(await verify(home)).toMatchObject({
    code: 0,
    json: { intact: true, rows: 7, links: 6, head: heads[2], sealingLinks: 0, findings: [] },
  })
  const said = await paydesk(['journal', 'verify'], { home })
  expect(said.stdout).toContain('The journal is intact')
  expect(said.stdout).toContain(String(heads[2]))
})

test('journal verify: --head accepts every head that was ever printed', async () => {
  const { home, heads } = await three()
  expect(new Set(heads).size).toBe(3)
  for (const head of [...heads, String(heads[0]).toUpperCase()]) {
    expect(await verify(home, '--head', head)).toMatchObject({ code: 0, json: { intact: true } })
    // As `--json --query head` writes it into a file.
    expect(await verify(home, '--head', `"${head}"`)).toMatchObject({ code: 0, json: { intact: true } })
  }
})

test('journal verify: an empty journal is intact and has no head', async () => {
  expect(await verify(newHome())).toMatchObject({ code: 0, json: { intact: true, rows: 0, links: 0, head: null } })
})

test('journal verify: repeats, refusals, unknown payments and their resolution leave the journal intact', async () => {
  const home = newHome()
  const around = { home, clock: hurriedClock(), random: impatient }
  await addFault(home, { at: 'after', kind: 'reset', times: 5 })
  const unknown = await paydesk([...create({ amount: '4' }), '--json'], around)
  expect(unknown.code).toBe(9)
  expect(await verify(home)).toMatchObject({ code: 0 })
  const id = String(unknown.error.journalId)
  const word = ['--settle', 'executed', '--because', 'on the statement', '--yes', '--json']
  const settled = await succeeds(paydesk(['resume', id, ...word], around))
  const heads = z.array(z.object({ journalHead: z.string() })).parse([settled.json].flat())
  expect(await verify(home, '--head', String(heads[0]?.journalHead))).toMatchObject({ code: 0 })
  expect((await paydesk([...create({ amount: '0.01' }), '--json'], around)).code).toBe(5)
  expect(await verify(home)).toMatchObject({ code: 0, json: { intact: true } })
})

test.each([
  ['intents', 'amount_minor', "'99'"],
  ['intents', 'state', "'refused'"],
  ['intents', 'payee', "'GE11NB0000000000000001'"],
  ['intents', 'operator_word', "'on the statement'"],
  ['intents', 'unique_id', "'00000000-0000-4000-8000-000000000000'"],
  ['attempts', 'outcome', "'refused'"],
  ['attempts', 'started_at', "'2020-01-01T00:00:00.000Z'"],
] as const)('journal verify: a changed %s.%s is found (1), with a new digest, too', async (table, column, value) => {
  const { home, ids } = await three()
  const where = table === 'intents' ? `id = '${ids[1]}'` : `intent_id = '${ids[1]}'`
  tamper(home, `update ${table} set ${column} = ${value} where ${where}`)
  const row = table === 'intents' ? `intents:${ids[1]}` : `attempts:${ids[1]}/1`
  const expected = { kind: 'row-changed', link: 4, row }
  expect(await findings(home)).toMatchObject([expected])
  await anew(home, table, where)
  expect(await findings(home)).toMatchObject([expected])
})

test('journal verify: a person is told which row was changed, after which link, and what to do', async () => {
  const { home, ids } = await three()
  tamper(home, `update intents set amount_minor = '99' where id = '${ids[0]}'`)
  const ended = await paydesk(['journal', 'verify'], { home })
  expect(ended.code).toBe(1)
  expect(ended.stdout).toContain(`the intent ${ids[0]} was changed outside paydesk after link 2`)
  expect(ended.stderr).toContain(`the intent ${ids[0]} was changed outside paydesk after link 2`)
  expect(ended.stderr).toContain('journal show <id>')
})

test('journal verify: a removed intent and its attempt are found (1)', async () => {
  const { home, ids } = await three()
  tamper(home, `delete from attempts where intent_id = '${ids[2]}'; delete from intents where id = '${ids[2]}'`)
  expect(await findings(home)).toMatchObject([
    { kind: 'row-removed', link: 6, row: `attempts:${ids[2]}/1` },
    { kind: 'row-removed', link: 6, row: `intents:${ids[2]}` },
  ])
})

test('journal verify: an added row is found (1), also before the first row number', async () => {
  const { home, ids } = await three()
  tamper(
    home,
    `create temp table copied as select * from intents where id = '${ids[0]}';
       update copied set id = 'j-ffffffffffff', unique_id = 'another';
       insert into intents select * from copied;
       update intents set rowid = -7 where id = 'j-ffffffffffff'`,
  )
  expect(await findings(home)).toMatchObject([{ kind: 'row-added', link: null, row: 'intents:j-ffffffffffff' }])
})

test('journal verify: a lowered sum of what is spent is found (1)', async () => {
  const { home } = await three()
  tamper(home, 'update spent set units = units - 1')
  const [found, ...others] = await findings(home)
  expect([found, others]).toMatchObject([{ kind: 'row-changed', link: 5 }, []])
  expect(found?.words).toMatch(/^the row of spent .* was changed outside paydesk after link 5$/)
})

test.each([
  ['changed', `update links set changes = replace(changes, 'intents', 'entents') where number = 3`, [3]],
  ['made unreadable', `update links set changes = 'no JSON {' where number = 3`, [3]],
  ['said to be a seal', 'update links set seals = 1 where number = 3', [3]],
  [
    'moved',
    `update links set number = -1 where number = 3; update links set number = 3 where number = 4;
       update links set number = 4 where number = -1`,
    [3, 4],
  ],
] as const)('journal verify: a link that was %s is found (1)', async (_what, statements, links) => {
  const { home } = await three()
  tamper(home, statements)
  const found = (await findings(home)).filter(({ kind }) => kind === 'link-changed')
  expect(found.map(({ link }) => link)).toEqual(expect.arrayContaining([...links]))
})

test('journal verify: without its links the journal is damaged (1) and nothing is sent', async () => {
  const { home } = await three()
  tamper(home, 'drop table links')
  for (const ended of [await verify(home), await paydesk([...create({ amount: '9' }), '--json'], { home })]) {
    expect(ended).toMatchObject({ code: 1, error: { moneyMoved: 'no' } })
    expect(ended.error.message).toContain('is damaged: no such table: links')
  }
})

test('journal verify: a journal cut off at its end with its rows is found by --head only (1)', async () => {
  const { home, ids, heads } = await three()
  tamper(
    home,
    `delete from attempts where intent_id = '${ids[2]}'; delete from intents where id = '${ids[2]}';
       update spent set payouts = 2, units = 300; delete from links where number > 4`,
  )
  expect(await verify(home)).toMatchObject({ code: 0, json: { intact: true, links: 4 } })
  expect(await verify(home, '--head', String(heads[1]))).toMatchObject({ code: 0 })
  expect(await findings(home, '--head', String(heads[2]))).toMatchObject([
    { kind: 'head-missing', link: 6, words: expect.stringContaining('the journal ends with link 4') },
  ])
})

test('journal verify: an older copy is found by its mark, and where the mark was put back too, by --head (1)', async () => {
  const { home, heads } = await three()
  const folder = dirname(journalFile(home))
  const copy = `${folder}-copy`
  cpSync(folder, copy, { recursive: true })
  const newest = String((await pay(home, '4')).json.journalHead)
  const mark = readFileSync(`${journalFile(home)}-mark`)
  rmSync(folder, { recursive: true })
  cpSync(copy, folder, { recursive: true })
  const older = readFileSync(`${journalFile(home)}-mark`)
  writeFileSync(`${journalFile(home)}-mark`, mark)
  expect(await verify(home)).toMatchObject({ code: 1, error: { message: expect.stringContaining('commits') } })
  writeFileSync(`${journalFile(home)}-mark`, older)
  expect(await verify(home, '--head', String(heads[2]))).toMatchObject({ code: 0 })
  expect(await findings(home, '--head', newest)).toMatchObject([{ kind: 'head-missing', link: 8 }])
  // Written on from there it has links enough, and they are others.
  await pay(home, '5')
  await pay(home, '6')
  expect(await verify(home)).toMatchObject({ code: 0 })
  expect(await findings(home, '--head', newest)).toMatchObject([{ kind: 'head-differs', link: 8 }])
})

test('journal verify: a chain made anew from a changed row on is found by --head only (1)', async () => {
  const { home, ids, heads } = await three()
  tamper(home, `update intents set amount_minor = '99' where id = '${ids[0]}'`)
  await anew(home, 'intents', `id = '${ids[0]}'`)
  const digest = String(valueIn(home, `select digest from intents where id = '${ids[0]}'`))
  tamper(home, `update links set changes = json_set(changes, '$."intents:${ids[0]}"', '${digest}') where number = 2`)
  for (let number = 2; number <= 6; number += 1) {
    const changes = String(valueIn(home, `select changes from links where number = ${number}`))
    const before = String(valueIn(home, `select hash from links where number = ${number - 1}`))
    tamper(
      home,
      `update links set hash = '${linkHash(before, { number, seals: 0, changes })}' where number = ${number}`,
    )
  }
  expect(await verify(home)).toMatchObject({ code: 0 })
  for (const head of heads) {
    expect(await findings(home, '--head', head)).toMatchObject([{ kind: 'head-differs' }])
  }
})

test.each(['', '7', 'latest', '0-0123456789abcdef01234567', '7-0123', '7-0123456789abcdef0123456g'])(
  'journal verify: the malformed --head "%s" is refused (2)',
  async (head) => {
    expect(await verify(newHome(), '--head', head)).toMatchObject({ code: 2, error: { name: 'usage' } })
  },
)
