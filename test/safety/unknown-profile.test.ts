/** A name that no profile has may be mistyped: what the profile that was meant has sent is not denied under it. */
import { expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'

const refused = { code: 4, stdout: '', error: { name: 'credentials', journalId: null, uniqueId: null } }

test('a mistyped profile says nothing of what the right one has executed, and denies only what no profile has sent', async () => {
  const service = await serviceByHand(() => undefined)
  const home = newHome()
  await addHandProfile(home, service.url)
  const pay = (profile: string, key: string) => paydesk([...create({ profile, key }), '--json'], { home })
  const paid = await pay('hand', 'k-1')
  expect(paid.code, paid.stderr).toBe(0)

  const read = (command: string, id: string) => paydesk(['payout', command, id, '-p', 'hnad', '--json'], { home })
  const again = [await pay('hnad', 'k-1'), await read('get', '4711'), await read('wait', String(paid.json.uniqueId))]
  for (const ended of again) {
    expect(ended, ended.stderr).toMatchObject({ ...refused, error: { ...refused.error, moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain('there is no profile "hnad"; there is hand')
    expect(String(ended.error.hints)).toContain('paydesk journal list')
  }
  expect(await pay('hnad', 'k-2')).toMatchObject({ ...refused, error: { ...refused.error, moneyMoved: 'no' } })
  expect(service.creates).toHaveLength(1)
})
