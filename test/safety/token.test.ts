import { expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, handSecret, handToken, json, serviceByHand } from '../kit/service/service-by-hand.ts'

test('an access token that the service repeats in its answer is seen nowhere, not even in the journal', async () => {
  const home = newHome()
  const message = `who sent ${handToken} may not`
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor' ? json({ message, statusCode: 5033 }, 400) : undefined,
  )
  await addHandProfile(home, service.url)
  for (const form of [[], ['--json'], ['--trace']]) {
    const ended = await paydesk([...create({ profile: 'hand' }), ...form], { home })
    expect(ended.code).toBe(5)
    const shown = await paydesk(['journal', 'show', '-p', 'hand', (await newest(home)).journalId, '--json'], { home })
    const everything = ended.stdout + ended.stderr + shown.stdout + shown.stderr
    expect(everything).toContain('who sent')
    expect(everything).not.toContain(handToken)
    expect(everything).not.toContain(handSecret)
  }
})

async function newest(home: string): Promise<{ journalId: string }> {
  const listed = await paydesk(['journal', 'list', '--limit', '1', '--json'], { home })
  const [intent] = JSON.parse(listed.stdout) as { journalId: string }[]
  if (!intent) throw new Error('the journal is empty')
  return intent
}
