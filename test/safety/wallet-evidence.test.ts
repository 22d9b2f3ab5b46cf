/** Wallet orders end by time: by FAILED, as a lagging copy shows it, or by the clock of this machine alone. */
import { expect, test } from 'vitest'
import { createWallet, finalizeWallet, handDesk, handOrder, type Said } from '../kit/service.ts'
import { mustBeUnknown, orderIn, reset } from '../kit/verdict.ts'
import { memoryDesk } from './memory-desk.ts'

const details = ['wallet', 'details', handOrder]
const cancel = ['wallet', 'cancel', handOrder, '--yes']
const finalize = (amount: string) => [
  ...['wallet', 'finalize', '--unique-id', handOrder, '--amount', amount, '--final-status', 'SUCCESS', '--yes'],
  '--no-local-check',
]
const walletIn = (status: string): Said => ({ value: { uniqueId: handOrder, status, amount: 25 } })
const unreadable: Said = { plain: { status: 503, body: '{}' } }
const minutes = 60_000

interface Answers {
  readonly create?: Said
  /** To one finalization after the other; reset behind the last one. */
  readonly finalize?: readonly Said[]
  readonly cancel?: Said
  /** Of so many finalizations that were sent. */
  readonly details?: Said | ((sent: number) => Said)
}

/** A wallet order that was created; `desk.details` is what its details read from then on. */
async function created(answers: Answers = {}, make: typeof memoryDesk | typeof handDesk = memoryDesk) {
  const state = { details: answers.details ?? walletIn('REGISTERED') }
  const desk = await make(({ name, count }): Said => {
    if (name === 'wallet.create') return answers.create ?? walletIn('REGISTERED')
    if (name === 'wallet.finalize') return answers.finalize?.[count - 1] ?? reset
    if (name === 'wallet.cancel') return answers.cancel ?? { code: 6110, group: 3 }
    return typeof state.details === 'function' ? state.details(desk.count('wallet.finalize')) : state.details
  })
  const creation = await desk.run(...createWallet)
  const { journalId } = creation.code === 0 ? creation.json : creation.error
  return Object.assign(state, { creation: ['resume', String(journalId)] as const }, desk)
}

type Line = 'create' | 'finalize' | 'resume'

const lineOf = (line: Line, creation: readonly string[]) =>
  ({ create: createWallet, finalize: finalizeWallet, resume: creation })[line]

/** One whose five minutes are over: read as FAILED behind them, or over by the clock alone. */
async function over(how: 'FAILED' | 'clock', shown: Said, creation?: Said) {
  const desk = await created({ details: orderIn('FAILED'), ...(creation ? { create: creation } : {}) })
  desk.skip(6 * minutes)
  if (how === 'FAILED') await desk.run(...details)
  desk.details = shown
  const reads = desk.count('wallet.details')
  return Object.assign(desk, { reads: () => desk.count('wallet.details') - reads })
}

const anew = /(?<!do not )create it again/i

const lines: readonly (readonly [Line, 'FAILED' | 'clock'])[] = [
  ['create', 'FAILED'],
  ['finalize', 'FAILED'],
  ['resume', 'FAILED'],
  ['create', 'clock'],
  ['finalize', 'clock'],
]

test.each(lines)('%s of a wallet order that is over (%s), read SUCCESS: it was paid elsewhere', async (line, how) => {
  const desk = await over(how, walletIn('SUCCESS'))
  const ended = await desk.run(...lineOf(line, desk.creation))
  expect(ended.stdout + ended.stderr).toContain('SUCCESS')
  expect(ended.stdout + ended.stderr).not.toMatch(anew)
  if (ended.code !== 0) expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
  expect(desk.count('wallet.finalize')).toBe(0)
})

test.each(lines)('%s of a wallet order that is over (%s), no read is answered: unknown (9)', async (line, how) => {
  const desk = await over(how, unreadable)
  const ended = await desk.run(...lineOf(line, desk.creation))
  expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
  const last = how === 'FAILED' ? 'FAILED' : 'REGISTERED'
  expect(ended.error.message).toContain(`was ${last} when it was last read, and cannot be read now`)
  expect(desk.count('wallet.finalize')).toBe(0)
})

test.each([
  ['create', 'FAILED', 5],
  ['finalize', 'FAILED', 2],
  ['create', 'clock', 5],
  ['finalize', 'clock', 2],
] as const)('%s of a wallet order that is over (%s), read FAILED once: ended (%i)', async (line, how, code) => {
  const desk = await over(how, orderIn('FAILED'))
  const ended = await desk.run(...lineOf(line, desk.creation))
  expect(ended, ended.stderr).toMatchObject({ code, error: { moneyMoved: 'no' } })
  expect(ended.stderr).toMatch(anew)
  expect(desk.reads()).toBe(1)
})

test.each([
  ['create', 0],
  ['finalize', 2],
] as const)('%s of a wallet order over (clock), read REGISTERED: no other one is advised (%i)', async (...row) => {
  const [line, code] = row
  const desk = await over('clock', walletIn('REGISTERED'))
  const ended = await desk.run(...lineOf(line, desk.creation))
  expect(ended.code, ended.stderr).toBe(code)
  expect(ended.stdout + ended.stderr).toMatch(/five minutes were over at .* shows it as REGISTERED/)
  expect(ended.stdout + ended.stderr).not.toMatch(anew)
  if (ended.code !== 0) expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
  expect(desk.count('wallet.finalize')).toBe(0)
})

test('finalize of a wallet order that was rejected at its creation: refused without a read (2)', async () => {
  const desk = await over('FAILED', orderIn('FAILED'), walletIn('REJECTED'))
  expect(await desk.run(...finalizeWallet)).toMatchObject({ code: 2, error: { moneyMoved: 'no' } })
  expect(desk.reads()).toBe(0)
})

test('wallet create and finalize, the real commands, of an order that is over by the clock: a dry run reads nothing', async () => {
  const desk = await created({ finalize: [orderIn('SUCCESS')] }, handDesk)
  desk.skip(6 * minutes)
  const dry = (line: readonly string[]) => desk.run(...line.filter((part) => part !== '--yes'), '--dry-run')
  const finalizing = await dry(finalizeWallet)
  expect(finalizing.stdout).toMatch(/five minutes were over at \d\d:\d\d:\d\d: the run would read it again/)
  expect(desk.count('wallet.details')).toBe(0)
  desk.details = orderIn('FAILED')
  await desk.run(...details)
  for (const line of [createWallet, finalizeWallet]) {
    const { code, stdout, stderr } = await dry(line)
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('the run would')
    expect(stdout).not.toMatch(anew)
  }
  expect(desk.count('wallet.details')).toBe(1)
  expect(await desk.run(...finalizeWallet)).toMatchObject({ code: 2, error: { moneyMoved: 'no' } })
  expect([desk.count('wallet.details'), desk.count('wallet.finalize')]).toEqual([2, 0])
  expect((await desk.run(...finalizeWallet, '--no-local-check')).code).toBe(0)
  expect([desk.count('wallet.details'), desk.count('wallet.finalize')]).toEqual([2, 1])
})

test.each([
  ['inside', 'sends it once more', 30, 1],
  ['after', 'sends nothing', 150, 0],
] as const)('resume of a finalization without a trace, %s the five minutes from the creation: %s', async (...row) => {
  const [, , seconds, sent] = row
  const answers = { finalize: [reset, reset, orderIn('SUCCESS')] }
  const desk = await created(answers)
  desk.skip(200_000)
  const first = await desk.run(...finalizeWallet)
  expect(first, first.stderr).toMatchObject({ code: 9 })
  const before = desk.count('wallet.finalize')
  desk.skip(seconds * 1000)
  await desk.run('resume', String(first.error.journalId), '--yes')
  expect(desk.count('wallet.finalize') - before).toBe(sent)
})

test('finalize after the five minutes by a clock that was set back: not sent (2), the money unknown', async () => {
  const desk = await created()
  desk.skip(400_000)
  desk.set(-3_600_000)
  const late = await desk.run(...finalizeWallet)
  expect(late, late.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
  expect(late.error.message).toContain('five minutes were over')
  expect(desk.count('wallet.finalize')).toBe(0)
})

const paidElsewhere = orderIn('SUCCESS', { amount: 0 })

// Every row begins with a lost answer; each amount is a line of its own.
test.each([
  ['WRONG_AMOUNT, then another amount is taken', ['25', '24'], ['WRONG_AMOUNT', 'SUCCESS'], [5, 0]],
  ['AMOUNT_NOT_IN_RANGE, then another amount is taken', ['25', '24'], ['AMOUNT_NOT_IN_RANGE', 'SUCCESS'], [5, 0]],
  [
    'WRONG_AMOUNT, another amount refused, a third one taken',
    ...[
      ['20', '24', '25'],
      ['WRONG_AMOUNT', 'RECEIVER_REACHED_LIMIT', 'SUCCESS'],
      [5, 5, 0],
    ],
  ],
  [
    'WRONG_AMOUNT, the same amount refused again, another one taken',
    ...[
      ['20', '20', '25'],
      ['WRONG_AMOUNT', 'RECEIVER_REACHED_LIMIT', 'SUCCESS'],
      [5, 5, 0],
    ],
  ],
  [
    'WRONG_AMOUNT, another amount ALREADY_FINALISED: a conflict',
    ...[
      ['20', '26'],
      ['WRONG_AMOUNT', 'ALREADY_FINALISED'],
      [5, 7],
    ],
  ],
  [
    'WRONG_AMOUNT, the same amount ALREADY_FINALISED: a conflict',
    ...[
      ['20', '20'],
      ['WRONG_AMOUNT', 'ALREADY_FINALISED'],
      [5, 7],
    ],
  ],
] as [string, string[], string[], number[]][])('finalize lost, then %s', async (_title, amounts, told, codes) => {
  const isElsewhere = told.includes('ALREADY_FINALISED')
  const desk = await created({
    finalize: [reset, ...told.map((status) => orderIn(status))],
    details: (sent) => (isElsewhere && sent === 3 ? paidElsewhere : walletIn('REGISTERED')),
  })
  const ended: number[] = []
  for (const amount of amounts) {
    const { code, stderr } = await desk.run(...finalize(amount))
    ended.push(code)
    if (code === 7) expect(stderr).toContain('"moneyMoved":"unknown"')
  }
  expect(ended).toEqual(codes)
  expect(desk.count('wallet.finalize')).toBe(told.length + 1)
})

test.each(['FAILED', 'REGISTERED', 'CANCELED'])(
  'finalize lost and answered 6016 (paid already): a read of %s never denies it (9), SUCCESS ends it',
  async (status) => {
    const desk = await created({ finalize: [reset, { code: 6016, group: 2 }] })
    const lost = await desk.run(...finalizeWallet)
    expect(lost, lost.stderr).toMatchObject({ code: 9 })
    expect(desk.count('wallet.finalize')).toBe(2)
    desk.details = orderIn(status)
    const resume = () => desk.run('resume', String(lost.error.journalId), '--yes')
    for (const each of [0, 16, 60]) {
      desk.skip(each * minutes)
      mustBeUnknown(await resume())
    }
    desk.details = orderIn('SUCCESS')
    expect((await resume()).code).toBe(0)
  },
)

test('finalize answered SUCCESS, then read as FAILED, the real commands: cancel is unknown (9), the list and the details are in doubt', async () => {
  const desk = await created({ finalize: [orderIn('SUCCESS')], details: orderIn('FAILED') }, handDesk)
  expect((await desk.run(...finalize('25'))).code).toBe(0)
  mustBeUnknown(await desk.run(...cancel))
  const read = await desk.run(...details)
  expect(read.json.warnings, read.stderr).toContainEqual(expect.stringContaining('SUCCESS, and shows FAILED since'))
  const [row] = (await desk.run('wallet', 'list')).json.rows as readonly Record<string, unknown>[]
  expect(row).toMatchObject({ end: null, open: true, inDoubt: expect.stringContaining('FAILED') })
})

test('finalize turned away (429), then ALREADY_FINALISED: another machine did it, a conflict (7)', async () => {
  const busy: Said = { plain: { status: 429, headers: { 'retry-after': '1' }, body: '{"message":"busy"}' } }
  const desk = await created({ finalize: [busy, orderIn('ALREADY_FINALISED')], details: orderIn('SUCCESS') })
  expect((await desk.run(...finalizeWallet)).code).toBe(7)
})

test('wallet create that is asked for again after a wallet cancel: replayed, with a warning that it was deleted', async () => {
  const desk = await created({ cancel: orderIn('CANCELED') })
  expect((await desk.run(...cancel)).code).toBe(0)
  expect(String((await desk.run(...createWallet)).json.warnings)).toContain('it was deleted since')
})
