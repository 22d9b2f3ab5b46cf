/** Statements with the peculiarities of those that banks send, and that public importers stumbled over. */
import { describe, expect, test } from 'vitest'
import { peekBytes } from '../../../src/lib/batch/read/file.ts'
import { readCamt } from '../../../src/lib/reconcile/camt.ts'
import { bankFile, camt, type Version, type WrittenEntry, type WrittenStatement } from './bank-file.ts'

const read = async (text: string) => {
  const { name, bytes } = bankFile(text)
  return await readCamt(name, await peekBytes(bytes, 1000))
}

const one = (entry: WrittenEntry, statement: WrittenStatement = {}, version: Version = '08') =>
  read(camt([{ ...statement, entries: [entry] }], { version })).then(({ bookings }) => bookings)

const balanceOf = (type: string, amount: string, day = '2026-11-27', sign = 'CRDT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="GEL">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`

const account = 'GE29NB0000000101904918'

describe.each(['02', '04', '08'] as const)('camt.053.001.%s', (version) => {
  test('a payment with its references, parties, text and charges', async () => {
    const entry = { sum: '101.00', endToEndId: 'emp-17', charges: '1.00', account, name: 'Nino', text: 'Salary' }
    const [booking, ...others] = await one(entry, {}, version)
    expect(others).toEqual([])
    expect(booking).toMatchObject({
      ...{
        entry: 'E1',
        day: '2026-11-27',
        direction: 'debit',
        sum: { units: 10_100n, currency: 'GEL' },
        charges: 100n,
      },
      ...{ endToEndId: 'emp-17', account, name: 'Nino', text: 'Salary', references: [], kind: 'payment' },
    })
  })

  test('an entry that books a batch is as many payments', async () => {
    const payments = [
      { endToEndId: 'a', amount: '329.56' },
      { endToEndId: 'b', amount: '100.00' },
    ]
    const batch = '<Btch><PmtInfId>201511-20151113103109              </PmtInfId><NbOfTxs>2</NbOfTxs></Btch>'
    const bookings = await one({ sum: '429.56', payments, batch }, {}, version)
    expect(bookings.map(({ endToEndId, sum }) => [endToEndId, sum?.units])).toEqual([
      ['a', 32_956n],
      ['b', 10_000n],
    ])
  })

  test('money that comes back names the payment that it was', async () => {
    const returned = { direction: 'CRDT', isReversal: true, reason: 'AC04' } as const
    const entry = { sum: '5.00', endToEndId: 'a', account, ...returned }
    const [booking] = await one(entry, {}, version)
    expect(booking).toMatchObject({ direction: 'credit', isReturn: true, returnReason: 'AC04', account })
  })

  test('camt.054 has no balances, and says that nothing can be checked by them', async () => {
    const file = await read(camt([{ entries: [{ sum: '5.00', endToEndId: 'a' }] }], { version, kind: '054' }))
    expect(file).toMatchObject({ format: 'camt.054', bookings: [{ endToEndId: 'a' }] })
    expect(file.statements[0]).toMatchObject({ opening: null, closing: null })
    expect(file.warnings.join()).toContain('no balances')
  })
})

describe('peculiarities', () => {
  test('amounts with leading zeros, many decimals, or a sign (ABN AMRO, PostFinance)', async () => {
    const balances = balanceOf('PRCD', '000000000000149.87') + balanceOf('CLBD', '000000000000049.87')
    const [booking] = await one({ sum: '000000000000100.00000' }, { balances })
    expect(booking?.sum?.units).toBe(10_000n)
  })

  test('charges beside the sums of the details are no part of them (OCA: 1500 and 26 are 1526)', async () => {
    const payments = [{ amount: '1000.00' }, { amount: '500.00', charges: '26.00' }]
    const bookings = await one({ sum: '1526.00', payments }, { opening: '2000.00' })
    expect(bookings.map(({ sum, charges }) => [sum?.units, charges])).toEqual([
      [100_000n, 0n],
      [50_000n, 0n],
    ])
  })

  test('what the details of a batch do not explain is a booking of its own', async () => {
    const bookings = await one({ sum: '100.00', payments: [{ amount: '30.00' }, { amount: '40.00' }] })
    expect(bookings.at(-1)).toMatchObject({ kind: 'rest', sum: { units: 3000n }, direction: 'debit' })
  })

  test('the text of the entry is that of a payment only where there is one (Wise)', async () => {
    const [alone] = await one({ sum: '1.00', payments: [], text: 'Sent to Nino' })
    expect(alone?.text).toBe('Sent to Nino')
    const [single] = await one({ sum: '1.00', payments: [{ account }], end: '<AddtlNtryInf>Sent</AddtlNtryInf>' })
    expect(single).toMatchObject({ text: 'Sent', account })
    const both = await one({ sum: '2.00', payments: [{ amount: '1.00' }, { amount: '1.00' }], text: 'Sent' })
    expect(both.map(({ text }) => text)).toEqual([null, null])
  })

  test('a batch without details is one booking of so many payments', async () => {
    const batch = '<Btch><PmtInfId>P-1</PmtInfId><NbOfTxs>3</NbOfTxs></Btch>'
    const [booking] = await one({ sum: '6.00', payments: [], batch })
    expect(booking).toMatchObject({ payments: 3, text: 'P-1', references: [] })
  })

  test('a batch whose payments have no sums of their own', async () => {
    const bookings = await one({ sum: '6.00', payments: [{ endToEndId: 'a' }, { endToEndId: 'b' }] })
    expect(bookings.map(({ sum }) => sum)).toEqual([null, null])
  })

  test('NOTPROVIDED is no reference', async () => {
    const [booking] = await one({ sum: '1.00', endToEndId: 'NOTPROVIDED' })
    expect(booking).toMatchObject({ endToEndId: null, references: [] })
  })

  test('labelled references say what they are, and those of banks are kept apart', async () => {
    const references = '<TxId>B-77</TxId><Prtry><Tp>transactionId</Tp><Ref>100001</Ref></Prtry>'
    const [booking] = await one({ sum: '1.00', endToEndId: 'a', references })
    expect(booking).toMatchObject({ transactionId: '100001', bankReferences: ['B-77'] })
  })

  test('entries that are only announced count for nothing, and are told', async () => {
    const entries = [{ sum: '1.00' }, { sum: '7.00', status: 'PDNG' }]
    const { bookings, warnings } = await read(camt([{ entries }]))
    expect(bookings).toHaveLength(1)
    expect(warnings).toEqual(['1 entry of statement S1 is not booked yet: nothing was compared with that'])
  })

  test('the sum that was ordered, where the bank has exchanged it', async () => {
    const [booking] = await one({ sum: '27.00', ordered: '10.00 USD' })
    expect(booking).toMatchObject({
      sum: { units: 2700n, currency: 'GEL' },
      ordered: { units: 1000n, currency: 'USD' },
    })
  })

  test('other elements, other namespaces and deep supplements are passed over', async () => {
    const end = '<SplmtryData><Envlp><x:any xmlns:x="urn:x"><x:Amt>9</x:Amt></x:any></Envlp></SplmtryData>'
    expect(await one({ sum: '1.00', endToEndId: 'a', end })).toHaveLength(1)
  })

  test('any prefix is legal', async () => {
    const text = camt([{ entries: [{ sum: '1.00' }] }])
      .replace(/<(\/?)([A-Z])/g, '<$1c:$2')
      .replace('xmlns=', 'xmlns:c=')
    expect((await read(text)).bookings).toHaveLength(1)
  })
})

describe('balances', () => {
  test('a negative opening balance', async () => {
    const { statements } = await read(camt([{ opening: '-18.59', entries: [{ sum: '20.00', direction: 'CRDT' }] }]))
    expect(statements[0]).toMatchObject({ opening: -1859n, closing: 141n })
  })

  test('a page of a long statement begins and ends with interim balances; available ones mean nothing', async () => {
    const balances = `${balanceOf('ITBD', '10.00')}${balanceOf('CLAV', '99.00')}${balanceOf('ITBD', '9.00')}`
    const { statements } = await read(camt([{ balances, entries: [{ sum: '1.00' }] }]))
    expect(statements[0]).toMatchObject({ opening: 1000n, closing: 900n })
  })

  test('of several days the first opening and the last closing balance', async () => {
    const balances = `${balanceOf('CLBD', '8.00', '2026-11-27')}${balanceOf('OPBD', '10.00', '2026-11-26')}${balanceOf('CLBD', '9.00', '2026-11-26')}${balanceOf('OPBD', '9.00', '2026-11-27')}`
    const { statements } = await read(camt([{ balances, entries: [{ sum: '2.00' }] }]))
    expect(statements[0]).toMatchObject({ opening: 1000n, closing: 800n })
  })

  test('a statement without entries', async () => {
    expect(await read(camt([{}]))).toMatchObject({ bookings: [], statements: [{ from: '2026-11-27' }] })
  })

  const paid = camt([{ entries: [{ sum: '1.00' }] }])
  const dollars = paid.replace('<Amt Ccy="GEL">1.00', '<Amt Ccy="USD">1.00')
  const deep = camt([{ entries: [{ sum: '1.00', end: `${'<a>'.repeat(70)}${'</a>'.repeat(70)}` }] }])
  const inVersion = (version: string) => camt([{}]).replace('camt.053.001.08', version)

  test.each([
    ['a cent too much', camt([{ closing: '0.01', opening: '1.00', entries: [{ sum: '1.00' }] }]), 'does not add up'],
    ['no opening', camt([{ balances: balanceOf('CLBD', '1.00') }]), 'no opening balance'],
    ['no closing', camt([{ balances: balanceOf('OPBD', '1.00') }]), 'no closing balance'],
    ['a third decimal', camt([{ entries: [{ sum: '1.005' }] }]), 'no sum to the cent'],
    ['the same statement twice', camt([{ id: 'A' }, { id: 'A' }]), 'statement A twice'],
    ['an entry of another currency', dollars, 'entry in USD'],
    ['neither debit nor credit', paid.replace('<CdtDbtInd>DBIT', '<CdtDbtInd>X'), 'neither CRDT nor DBIT'],
    ['a DOCTYPE', camt([{}], { head: '<!DOCTYPE x [<!ENTITY a "b">]>' }), 'DOCTYPE'],
    ['the end cut off', camt([{}]).slice(0, -30), 'not well-formed XML'],
    ['another message', inVersion('camt.052.001.08'), 'no bank statement'],
    ['a version that is not known', inVersion('camt.053.001.99'), 'no bank statement'],
    ['too deep', deep, 'deeper than'],
  ])('%s: the file is refused', async (_what, text, why) => {
    await expect(read(text)).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining(why) })
  })

  test('a statement between two is missing: it is told', async () => {
    const { warnings } = await read(camt([{ opening: '5.00' }, { opening: '4.00' }]))
    expect(warnings.join()).toContain('a statement between them is missing')
  })
})
