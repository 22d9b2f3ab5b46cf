import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  bankLines,
  bankWords,
  type IsoStatus,
  isoOutcome,
  leaf,
  overallStatus,
  paymentOutcome,
} from '../../../../src/lib/batch/reports/pain002.ts'
import type { ReportRow } from '../../../../src/lib/batch/reports/report.ts'
import { payoutStatuses } from '../../../../src/lib/contract/payout/status.ts'
import type { Intent } from '../../../../src/lib/journal/intent.ts'
import { handPayroll, type PainParts, painFile, payment } from '../../../kit/batch.ts'
import { newHome, paydesk, succeeds } from '../../../kit/program.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'
import { type Answering, json } from '../../../kit/service.ts'
import { below, checkPain002, textOf, type XmlElement } from './check-pain002.ts'

// Hundreds of inputs, each of which takes its time.
vi.setConfig({ testTimeout: 60_000 })

/** The pain.002 of a pain.001 whose payments were run with these answers. */
async function answered(parts: PainParts, answering: Answering, confirm: string, text = painFile(parts)) {
  const payroll = await handPayroll([], answering)
  const path = join(payroll.home, 'pain.xml')
  writeFileSync(path, text)
  const planned = await succeeds(payroll.run(['batch', 'plan', path]))
  const planId = String(planned.json.planId)
  if (confirm !== '') {
    await payroll.run([
      ...['batch', 'run', planId, '--confirm', confirm, '--timeout', '2s', '--concurrency', '1', '--max-failures', '9'],
    ])
  }
  await succeeds(payroll.run(['batch', 'results', planId, '--dir', payroll.home]))
  return checkPain002(readFileSync(join(payroll.home, 'pain.002.xml'), 'utf8'))
}

const refusedWith =
  (code: number, message = 'no'): Answering =>
  ({ path, body }) =>
    path === '/api/distributor' && body.includes('"amount":2') ? json({ message, statusCode: code }, 400) : undefined

const three = { payments: [payment('emp-1', '1'), payment('emp-2', '2', '', 'i-2'), payment('NOTPROVIDED', '3')] }

test('a message whose payments are accepted is accepted, with its ids as they were written', async () => {
  const { report, wrong, statuses, version } = await answered(
    { ...three, sum: '<CtrlSum>006.00</CtrlSum>', count: '003' },
    () => undefined,
    'GEL 6',
  )
  expect([version, wrong]).toEqual(['03', []])
  const group = below(report, 'OrgnlGrpInfAndSts')[0]
  expect(
    group &&
      ['OrgnlMsgId', 'OrgnlMsgNmId', 'OrgnlNbOfTxs', 'OrgnlCtrlSum', 'GrpSts'].map((name) => textOf(group, name)),
  ).toEqual(['m-1', 'pain.001.001.03', '003', '006.00', 'ACCP'])
  expect(statuses).toEqual([
    ['emp-1', 'ACCP'],
    ['emp-2', 'ACCP'],
    ['NOTPROVIDED', 'ACCP'],
  ])
  const second = below(report, 'OrgnlPmtInfAndSts', 'TxInfAndSts')[1]
  expect(second && [textOf(second, 'OrgnlInstrId'), textOf(second, 'AcctSvcrRef')]).toEqual(['i-2', '4711'])
})

test.each([
  [5023, 'AC01'],
  [5041, 'BE06'],
  [5046, 'AM02'],
  [5042, 'NARR'],
])('a refusal with %i is a rejection with %s, and the rest of the message is accepted', async (code, reason) => {
  const { report, wrong, statuses } = await answered(three, refusedWith(code), 'GEL 6')
  expect(wrong).toEqual([])
  expect(statuses.map(([, status]) => status)).toEqual(['ACCP', 'RJCT', 'ACCP'])
  expect(textOf(report, 'OrgnlGrpInfAndSts', 'GrpSts')).toBe('PART')
  expect(textOf(report, 'OrgnlPmtInfAndSts', 'PmtInfSts')).toBe('PART')
  const rejected = below(report, 'OrgnlPmtInfAndSts', 'TxInfAndSts')[1]
  expect(rejected && textOf(rejected, 'StsRsnInf', 'Rsn', 'Cd')).toBe(reason)
})

test('an outcome that is not known is pending, and never a rejection', async () => {
  const lost: Answering = ({ path, body }) =>
    path === '/api/distributor' && body.includes('"amount":2') ? 'reset' : undefined
  const { report, wrong, statuses } = await answered(three, lost, 'GEL 6')
  expect(wrong).toEqual([])
  expect(statuses.map(([, status]) => status)).toContain('PDNG')
  expect(statuses.map(([, status]) => status)).not.toContain('RJCT')
  const pending = below(report, 'OrgnlPmtInfAndSts', 'TxInfAndSts').find((each) => textOf(each, 'TxSts') === 'PDNG')
  expect(pending && textOf(pending, 'StsRsnInf', 'AddtlInf')).toContain('do not pay again')
})

test('payments that were not sent are received (.10) or pending (.03)', async () => {
  const early = await answered(three, () => undefined, '')
  expect([early.wrong, early.statuses.map(([, status]) => status)]).toEqual([[], ['PDNG', 'PDNG', 'PDNG']])
  const uetr = 'eb6305c9-1f7f-49de-aed0-16487c27b42d'
  const given = painFile({ ...three, version: '09' }).replace(
    '<EndToEndId>emp-1</EndToEndId>',
    `<EndToEndId>emp-1</EndToEndId><UETR>${uetr}</UETR>`,
  )
  const later = await answered({}, () => undefined, '', given)
  expect([later.version, later.wrong]).toEqual(['10', []])
  expect(later.statuses.map(([, status]) => status)).toEqual(['RCVD', 'RCVD', 'RCVD'])
  expect(textOf(later.report, 'OrgnlPmtInfAndSts', 'TxInfAndSts', 'OrgnlUETR')).toBe(uetr)
  const original = ['OrgnlPmtInfAndSts', 'TxInfAndSts', 'OrgnlTxRef'] as const
  expect(textOf(later.report, ...original, 'Cdtr', 'Pty', 'Nm')).toBe('Nino Beridze')
  expect(textOf(later.report, ...original, 'ReqdExctnDt', 'Dt')).toBe('2026-11-23')
})

test('blocks have statuses of their own, and keep their counts and sums', async () => {
  const block = (id: string, payments: string) => `<PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>
<NbOfTxs>2</NbOfTxs><ReqdExctnDt>2026-11-23</ReqdExctnDt><Dbtr/>
<DbtrAcct><Id><IBAN>GE60NB0000000123456789</IBAN></Id></DbtrAcct><DbtrAgt/>${payments}</PmtInf>`
  const [head = '', tail = ''] = painFile({ payments: ['#'], count: '4' }).split(/<PmtInf>[\s\S]*<\/PmtInf>/)
  const first = block('p-1', payment('a', '1') + payment('b&amp;c', '+01.500'))
  const second = block('p-2', payment('d', '2') + payment('e', '2.0'))
  const { report, wrong, statuses } = await answered({}, refusedWith(5046), 'GEL 6.50', head + first + second + tail)
  expect(wrong).toEqual([])
  expect(statuses).toEqual([
    ['a', 'ACCP'],
    ['b&c', 'ACCP'],
    ['d', 'RJCT'],
    ['e', 'RJCT'],
  ])
  const blocks = below(report, 'OrgnlPmtInfAndSts')
  expect(
    blocks.map((each) => ['OrgnlPmtInfId', 'OrgnlNbOfTxs', 'PmtInfSts'].map((name) => textOf(each, name))),
  ).toEqual([
    ['p-1', '2', 'ACCP'],
    ['p-2', '2', 'RJCT'],
  ])
  expect(textOf(report, 'OrgnlGrpInfAndSts', 'GrpSts')).toBe('PART')
})

test('words of the service come in the letters of banks, in lines that have room', async () => {
  const words = `<“no”> _ ${'very long '.repeat(60)} არა & тест\u0007`
  const { report, wrong } = await answered(three, refusedWith(5042, words), 'GEL 6')
  expect(wrong).toEqual([])
  expect(below(report, 'OrgnlPmtInfAndSts', 'TxInfAndSts', 'StsRsnInf', 'AddtlInf')).toHaveLength(4)
})

test.each<[string, IsoStatus]>([
  ['ACCP ACSC', 'ACCP'],
  ['ACSC', 'ACSC'],
  ['RJCT', 'RJCT'],
  ['RCVD', 'RCVD'],
  ['PDNG RJCT', 'PDNG'],
  ['RCVD RJCT', 'PDNG'],
  ['ACSC RJCT', 'PART'],
  ['ACCP RCVD', 'PART'],
] as [string, IsoStatus][])('a group of payments that are %s is %s', (statuses, group) => {
  expect(overallStatus(new Set(statuses.split(' ') as IsoStatus[]))).toBe(group)
})

test('a payout that has not ended without a payment is never rejected', () => {
  for (const [status, { end }] of Object.entries(payoutStatuses)) {
    expect([status, isoOutcome(status).status === 'RJCT']).toEqual([status, end === 'not-paid'])
    expect([status, isoOutcome(status).status === 'ACSC']).toEqual([status, end === 'paid'])
  }
  expect(isoOutcome('SETTLED')).toEqual({ status: 'ACCP', reason: null })
  expect(isoOutcome('INITIAL_INSUFFICIENT_BALANCE')).toEqual({ status: 'PDNG', reason: 'AM04' })
})

test('every text stays within the letters and lines of banks, and every value within its element', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      expect(bankWords(text)).toMatch(/^[A-Za-z0-9\u10D0-\u10FF/\-?:().,'+ ]*$/)
      for (const line of bankLines(text)) expect(line.length).toBeLessThanOrEqual(105)
      expect(leaf('Nm', text).slice('<Nm>'.length, -'</Nm>'.length)).not.toMatch(/[<>\n]|&(?!(?:amp|lt|gt|quot|#\d+);)/)
    }),
  )
})

function line(standing: ReportRow['standing'], more: Partial<ReportRow>): ReportRow {
  const planned = {} as ReportRow['planned']
  const line = {
    planned,
    state: 'accepted',
    isTakenKey: false,
    intent: null,
    code: null,
    why: null,
    before: null,
  } as const
  return { ...line, standing, ...more }
}

test.each(['', ' ', null])('a payment that ended unpaid without a word has a reason: %j', (statusDescription) => {
  const intent = { status: 'REJECTED', statusDescription } as Intent
  const { status, reason, words } = paymentOutcome(line('not-paid', { intent }), 'pain.001.001.03')
  expect([status, reason, words]).toEqual(['RJCT', 'MS03', null])
})

test('a refusal without a word says at least that', () => {
  const told = paymentOutcome(line('refused', { state: 'refused', why: '' }), 'pain.001.001.03')
  expect(told).toEqual({ status: 'RJCT', reason: 'NARR', words: 'refused' })
})

/** A file that is checked, and the answer that refuses it. */
async function refused(text: string, name = 'pain.xml') {
  const folder = temporaryDirectory('rejection')
  const [path, out] = [join(folder, name), join(folder, 'rejection.xml')]
  writeFileSync(path, text)
  const check = (...more: string[]) => paydesk(['batch', 'check', path, '--pain002', out, ...more], { home: newHome() })
  return { ended: await check('--json'), check, out, read: () => checkPain002(readFileSync(out, 'utf8')) }
}

/** The reasons of the message, and the first line of words of each. */
function reasonsIn(report: XmlElement) {
  const group = below(report, 'OrgnlGrpInfAndSts')
  return group.flatMap((each) =>
    below(each, 'StsRsnInf').map((reason) => [textOf(reason, 'Rsn', 'Cd'), textOf(reason, 'AddtlInf')] as const),
  )
}

const two = [payment('emp-1', '1'), payment('emp-2', '2')]
const cases: readonly (readonly [string, PainParts, string, RegExp])[] = [
  ['a control sum', { payments: two, sum: '<CtrlSum>4</CtrlSum>' }, 'AM10', /says 4, and the amounts are 3/],
  ['a count', { payments: two, count: '5' }, 'AM18', /says 5, and there are 2/],
  ['an amount', { payments: [payment('emp-1', '1.234')] }, 'NARR', /^Payment 1, /],
]

test.each(cases)('%s that is wrong refuses the message whole, with its code', async (_what, parts, code, words) => {
  const { ended, read } = await refused(painFile(parts))
  expect(ended.code, ended.stderr).toBe(2)
  const { report, wrong, statuses } = read()
  expect([wrong, statuses]).toEqual([[], []])
  const [group] = below(report, 'OrgnlGrpInfAndSts')
  expect(group && ['OrgnlMsgId', 'OrgnlMsgNmId', 'GrpSts'].map((name) => textOf(group, name))).toEqual([
    ...['m-1', 'pain.001.001.03', 'RJCT'],
  ])
  expect(reasonsIn(report)).toContainEqual([code, expect.stringMatching(words)])
})

test('a message that breaks off is refused for its form', async () => {
  const { ended, read } = await refused(painFile({ payments: two }).replace('</CstmrCdtTrfInitn>', ''))
  expect(ended.code).toBe(2)
  expect(reasonsIn(read().report).map(([code]) => code)).toContain('FF01')
})

test('of many reasons fifty are told, and the rest is counted', async () => {
  const { read } = await refused(painFile({ payments: Array.from({ length: 60 }, (_, at) => payment(`e-${at}`, '0')) }))
  const told = reasonsIn(read().report)
  expect(told).toHaveLength(51)
  expect(told.at(-1)).toEqual(['NARR', expect.stringMatching(/^and \d+ more$/)])
})

test('nothing is written for a sound file, over another one, or where there is no header to answer', async () => {
  const sound = await refused(painFile({ payments: two }))
  expect([sound.ended.code, existsSync(sound.out)]).toEqual([0, false])
  const broken = await refused(painFile({ payments: two, count: '5' }))
  const again = await broken.check('--json')
  expect(again.error.message).toContain('already exists')
  expect((await broken.check('--overwrite', '--json')).error.message).toContain('says 5')
  const csv = await refused('amount,currency\nx,y\n', 'payroll.csv')
  expect([csv.ended.code, existsSync(csv.out)]).toEqual([2, false])
  expect(csv.ended.error.message).toContain('it is csv')
})
