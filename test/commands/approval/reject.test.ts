import { expect, test } from 'vitest'
import { create } from '../../kit/payment.ts'
import { paydesk } from '../../kit/program.ts'
import { approve, as, asked, peopleAtHome } from '../../kit/team.ts'

test('approval reject: a rejection ends a request for good (12), and it can be asked for anew', async () => {
  const { around, anna, nino, giorgi } = await peopleAtHome({ from: '1000' })
  const run = (argv: readonly string[]) => paydesk([...argv, '--json'], around)
  const journalId = String((await run(create({ key: 'k', amount: '1200' }))).error.journalId)
  const id = await asked(journalId, anna, around)
  expect((await run(['approval', 'reject', id, ...as(anna)])).code).toBe(4)
  const no = await run(['approval', 'reject', id, '--because', 'not the account on the invoice', ...as(nino)])
  expect(no.json, no.stderr).toMatchObject({
    ...{
      state: 'rejected',
      words: [{ person: 'Nino', decision: 'reject', because: 'not the account on the invoice' }],
    },
  })
  expect((await paydesk(approve(id, giorgi, 'GEL 1200'), around)).code).toBe(12)
  const held = await run(['resume', journalId, '-p', 'sandbox'])
  expect(held).toMatchObject({ code: 13, error: { message: expect.stringContaining(`${id} was rejected`) } })
  expect(await asked(journalId, anna, around)).not.toBe(id)
})

test('approval reject: --because with a line break is refused (2)', async () => {
  const { around, anna, nino } = await peopleAtHome({ from: '1' })
  const held = await paydesk([...create({ key: 'k' }), '--json'], around)
  const id = await asked(String(held.error.journalId), anna, around)
  const ended = await paydesk(['approval', 'reject', id, '--because', 'a\nb', ...as(nino), '--json'], around)
  expect(ended.code).toBe(2)
})

test('approval reject: --confirm with another sum is refused (3) and says nothing; --yes and the sum reject', async () => {
  const { around, anna, nino } = await peopleAtHome({ from: '1' })
  for (const [key, ...consent] of [
    ['a', '--yes'],
    ['b', '--confirm', 'GEL 12.5'],
  ]) {
    const held = await paydesk([...create({ key: key ?? null }), '--json'], around)
    const id = await asked(String(held.error.journalId), anna, around)
    const reject = (...more: readonly string[]) =>
      paydesk(['approval', 'reject', id, ...more, ...as(nino), '--json'], around)
    expect(await reject('--confirm', 'GEL 12.51')).toMatchObject({ code: 3 })
    expect(await reject(...consent)).toMatchObject({ code: 0, json: { state: 'rejected', words: [{}] } })
  }
})
