import { expect, test } from 'vitest'
import { asProfile } from '../../../../src/lib/cli/output/hint.ts'
import { Failure } from '../../../../src/lib/failure.ts'

const shown = (hint: string, profile?: string) =>
  asProfile(new Failure('pending', 'not yet', { hints: [hint] }), profile).facts.hints?.[0]

test.each([
  ['Wait on: `paydesk order wait 7`.', 'Wait on: `paydesk order wait 7 -p shop`.'],
  [
    'See `paydesk payout balance`, then `paydesk order refund`.',
    'See `paydesk payout balance -p shop`, then `paydesk order refund -p shop`.',
  ],
  ['`paydesk wallet details 7 -p other`', '`paydesk wallet details 7 -p other`'],
  ['`paydesk wallet details 7 --profile other`', '`paydesk wallet details 7 --profile other`'],
  ['`paydesk resume j-3f9a1c2b7d10`', '`paydesk resume j-3f9a1c2b7d10`'],
  ['`paydesk journal list`', '`paydesk journal list`'],
])('a profile that was typed stands in what a hint shows: %s', (hint, told) => {
  expect(shown(hint, 'shop')).toBe(told)
  expect(shown(hint)).toBe(hint)
})

test('nothing but a name is put into a command that somebody pastes', () => {
  const hint = 'Wait on: `paydesk order wait 7`.'
  for (const profile of ['; rm -rf ~', '$(id)', '`id`', 'a b', '']) expect(shown(hint, profile)).toBe(hint)
})
