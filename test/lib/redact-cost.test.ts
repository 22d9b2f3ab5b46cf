/** Hiding secrets takes time in proportion to the text, whatever text and secrets are. Mutation testing leaves this file out. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Secrets } from '../../src/lib/redact.ts'
import { leastWorkIn, workIn } from '../kit/tools.ts'

const mask = '[hidden]'
const largest = 1024 * 1024
const uuids = Array.from({ length: 5000 }, () => randomUUID())

test.each<[string, string, readonly string[]]>([
  ['5,000 secrets, each of them there', JSON.stringify(uuids).padEnd(largest, 'x'), uuids],
  ['20,000 times one that stands in the mask', '"hidd",'.repeat(150_000), Array(20_000).fill('hidd')],
  ['one that nearly fits everywhere', 'a'.repeat(largest), [`${'a'.repeat(200_000)}b`]],
  [
    'those of every length that nearly fit everywhere',
    'a'.repeat(largest),
    Array.from({ length: 500 }, (_, at) => `${'a'.repeat(at + 4)}b`),
  ],
  ['50,000 of four letters', 'abcd'.repeat(largest / 4), Array.from({ length: 50_000 }, (_, at) => `a${at + 1000}`)],
])('hiding secrets: a text of 1 MB takes less than five seconds of work: %s', (_, text, secrets) => {
  let shown = ''
  const hide = () => {
    shown = new Secrets(secrets).hide(text, mask, 4)
  }
  expect(leastWorkIn(hide, 5000)).toBeLessThan(5000)
  expect(shown.length).toBeLessThan(2 * largest)
})

const size = 64 * 1024
const worst = [
  '\\',
  '%',
  '&',
  '&#',
  '&amp;',
  '\\u00',
  '%25',
  '+',
  'A',
  'QUJD',
  '5a9db0c0-0301-4a11-8c11-00000000030',
  '\\\\u0041',
]

test.each(worst)('hiding secrets: twice as much text of %j takes about twice as long', (piece) => {
  const secrets = new Secrets(['5a9db0c0-0301-4a11-8c11-000000000301', 'abcde'])
  const fill = (length: number) => piece.repeat(Math.ceil(length / piece.length))
  const work = (text: string) => workIn(() => secrets.hide(text, mask, 12))
  const [half, whole] = [fill(size), fill(2 * size)]
  work(half)
  // In turn: what else the machine does meets both. More pairs only where it disturbed the first ones.
  let [ofHalf, ofWhole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let pair = 0; pair < 2 || (pair < 8 && ofWhole >= 3 * ofHalf + 50); pair += 1) {
    ofHalf = Math.min(ofHalf, work(half))
    ofWhole = Math.min(ofWhole, work(whole))
  }
  expect(ofWhole).toBeLessThan(3 * ofHalf + 50)
})
