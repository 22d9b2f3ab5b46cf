/**
 * A wallet order ends by time: by FAILED, as a copy that lags behind shows it, or by the clock of this machine alone. Another
 * machine may have finalized it before that.
 */
import { describe, expect, test } from 'vitest'
import { handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'

/**
 * An order whose five minutes are over, and that was read as FAILED behind them unless it is over by the clock alone.
 * `now.status` is shown from then on, null where nothing can be read.
 */
async function scene({ creation = 'REGISTERED', byClock = false } = {}) {
  const now = { status: 'FAILED' as string | null }
  const desk = await handDesk(({ name }) => {
    if (name === 'wallet.create') return { value: { uniqueId: handOrder, amount: 25, status: creation } }
    if (name === 'wallet.finalize') return { value: { uniqueId: handOrder, status: 'SUCCESS' } }
    if (now.status === null) return { plain: { status: 503, body: '{}' } }
    return { value: { uniqueId: handOrder, amount: 25, status: now.status } }
  })
  const created = await desk.run(...createWallet)
  desk.skip(6 * 60_000)
  if (!byClock) await desk.run('wallet', 'details', handOrder)
  const resume = ['resume', String((created.code === 0 ? created.json : created.error).journalId)]
  return { ...desk, now, lines: { create: createWallet, finalize: finalizeWallet, resume } }
}

const anew = /create it anew/i

describe('read as FAILED, and finalized elsewhere before', () => {
  test.each(['create', 'finalize', 'resume'] as const)('%s tells that it was paid', async (line) => {
    const desk = await scene()
    desk.now.status = 'SUCCESS'
    const ended = await desk.run(...desk.lines[line])
    expect(ended.stdout + ended.stderr).toContain('SUCCESS')
    expect(ended.stdout + ended.stderr).not.toMatch(anew)
    if (ended.code !== 0) expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
    expect(desk.count('wallet.finalize')).toBe(0)
  })
})

describe('read as FAILED, and not to be read now', () => {
  test.each(['create', 'finalize', 'resume'] as const)('%s says that it may have been paid', async (line) => {
    const desk = await scene()
    desk.now.status = null
    const ended = await desk.run(...desk.lines[line])
    expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
    expect(ended.error.message).toMatch(/was FAILED when it was last read, and cannot be read now/)
    expect(desk.count('wallet.finalize')).toBe(0)
  })
})

describe('read as FAILED once more', () => {
  test.each([
    ['create', 5],
    ['finalize', 2],
  ] as const)('%s says that it is over', async (line, code) => {
    const desk = await scene()
    const reads = desk.count('wallet.details')
    const ended = await desk.run(...desk.lines[line])
    expect(ended, ended.stderr).toMatchObject({ code, error: { moneyMoved: 'no' } })
    expect(ended.stderr).toMatch(anew)
    expect(desk.count('wallet.details')).toBe(reads + 1)
  })
})

describe('over by the clock of this machine alone', () => {
  test.each(['create', 'finalize'] as const)('%s tells that it was paid, where it was', async (line) => {
    const desk = await scene({ byClock: true })
    desk.now.status = 'SUCCESS'
    const ended = await desk.run(...desk.lines[line])
    expect(ended.stdout + ended.stderr).toContain('SUCCESS')
    expect(ended.stdout + ended.stderr).not.toMatch(anew)
    if (ended.code !== 0) expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
    expect(desk.count('wallet.finalize')).toBe(0)
  })

  test.each(['create', 'finalize'] as const)('%s says that it may be paid, where it cannot be read', async (line) => {
    const desk = await scene({ byClock: true })
    desk.now.status = null
    const ended = await desk.run(...desk.lines[line])
    expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
    expect(ended.error.message).toMatch(/was REGISTERED when it was last read, and cannot be read now/)
    expect(desk.count('wallet.finalize')).toBe(0)
  })

  test.each([
    ['create', 5],
    ['finalize', 2],
  ] as const)('%s says that it is over, where it reads FAILED', async (line, code) => {
    const desk = await scene({ byClock: true })
    const ended = await desk.run(...desk.lines[line])
    expect(ended, ended.stderr).toMatchObject({ code, error: { moneyMoved: 'no' } })
    expect(ended.stderr).toMatch(anew)
    expect(desk.count('wallet.details')).toBe(1)
  })

  test.each([
    ['create', 0],
    ['finalize', 2],
  ] as const)('%s promises no other order, where it is not over for the service', async (line, code) => {
    const desk = await scene({ byClock: true })
    desk.now.status = 'REGISTERED'
    const ended = await desk.run(...desk.lines[line])
    expect(ended.code, ended.stderr).toBe(code)
    expect(ended.stdout + ended.stderr).toMatch(/five minutes were over at .* shows it as REGISTERED/)
    expect(ended.stdout + ended.stderr).not.toMatch(anew)
    if (ended.code !== 0) expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
    expect(desk.count('wallet.finalize')).toBe(0)
  })

  test('finalize sends it all the same, where it is told not to look', async () => {
    const desk = await scene({ byClock: true })
    const ended = await desk.run(...finalizeWallet, '--no-local-check')
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    expect([desk.count('wallet.details'), desk.count('wallet.finalize')]).toEqual([0, 1])
  })

  test('a dry run of finalize says that it would be read', async () => {
    const desk = await scene({ byClock: true })
    const dry = await desk.run(...finalizeWallet.filter((part) => part !== '--yes'), '--dry-run')
    expect(dry, dry.stderr).toMatchObject({ code: 0 })
    expect(dry.stdout).toMatch(/five minutes were over at \d\d:\d\d:\d\d: the run would read it anew/)
    expect(desk.count('wallet.details')).toBe(0)
  })
})

test('an order that was rejected needs no read', async () => {
  const desk = await scene({ creation: 'REJECTED' })
  const reads = desk.count('wallet.details')
  const ended = await desk.run(...finalizeWallet)
  expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'no' } })
  expect(desk.count('wallet.details')).toBe(reads)
})

test.each([
  ['create', createWallet],
  ['finalize', finalizeWallet],
] as const)('a dry run of %s says that it would be read', async (_line, argv) => {
  const desk = await scene()
  desk.now.status = null
  const reads = desk.count('wallet.details')
  const dry = await desk.run(...argv.filter((part) => part !== '--yes'), '--dry-run')
  expect(dry, dry.stderr).toMatchObject({ code: 0 })
  expect(dry.stdout).toContain('the run would')
  expect(dry.stdout).not.toMatch(anew)
  expect(desk.count('wallet.details')).toBe(reads)
})
