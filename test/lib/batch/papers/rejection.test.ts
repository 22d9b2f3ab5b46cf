import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type PainParts, painFile, payment } from '../../../kit/batch/pain.ts'
import { below, checkPain002, textOf, type XmlElement } from '../../../kit/batch/pain002.ts'
import { newHome, paydesk } from '../../../kit/program/paydesk.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'

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
  expect(again.error.message).toContain('exists already')
  expect((await broken.check('--overwrite', '--json')).error.message).toContain('says 5')
  const csv = await refused('amount,currency\nx,y\n', 'payroll.csv')
  expect([csv.ended.code, existsSync(csv.out)]).toEqual([2, false])
  expect(csv.ended.error.message).toContain('has no pain.002 that refuses it: it is csv')
})
