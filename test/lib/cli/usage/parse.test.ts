/** A profile that does not exist is an error in every command, wherever the command would have looked. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { create } from '../../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../../kit/program.ts'
import { addHandProfile, serviceByHand } from '../../../kit/service.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const { commands } = JSON.parse(readFileSync(join(root, 'dist', 'listing.json'), 'utf8')) as {
  commands: readonly string[]
}

const listing = [
  ...['journal list', 'journal verify', 'batch list', 'approval list', 'callback list', 'team key list'],
  ...['sandbox ledger', 'sandbox world', 'payee list', 'payout list', 'explain 5038', 'profile list'],
]

test.each(listing)('%s -p nosuch is 4', async (line) => {
  const home = newHome()
  const ended = await paydesk([...line.split(' '), '-p', 'nosuch', '--json'], { home })
  expect(ended, ended.stderr).toMatchObject({ code: 4, stdout: '', error: { name: 'credentials', moneyMoved: 'no' } })
  expect(ended.error.message).toBe('there is no profile "nosuch"; there is only the built-in sandbox')
})

test('no command ends with 0', async () => {
  const served = /^(?:help|completion|sandbox (?:start|run))$/
  const ids = commands.map((id) => id.replaceAll(':', ' '))
  for (const id of ids.filter((each) => !served.test(each))) {
    const home = newHome()
    const ended = await paydesk([...id.split(' '), '-p', 'nosuch', '--json', '--no-input'], { home })
    expect([2, 4], `${id}: ${ended.stderr}`).toContain(ended.code)
    expect(ended.stdout, id).toBe('')
    expect(ended.error.message, id).not.toMatch(/Missing|Nonexistent|Unexpected|Expected|Flag --/)
  }
})

test('the name that was meant is told, a built-in one too', async () => {
  const service = await serviceByHand(() => undefined)
  const home = newHome()
  await addHandProfile(home, service.url)
  const told = async (argv: readonly string[], env = {}) =>
    [(await paydesk([...argv, '--json'], { home, env })).error.hints].flat()
  expect(await told(['payout', 'get', '5', '-p', 'hnad'])).toContain('Did you mean hand?')
  expect(await told(['payout', 'get', '5', '--profile=sandbx'])).toContain('Did you mean sandbox?')
  expect(await told(['payout', 'get', '5'], { PAYDESK_PROFILE: 'hnad' })).toContain('Did you mean hand?')
  expect(String(await told(['payout', 'get', '5', '-p', 'other']))).not.toContain('Did you mean')
})

test('a profile that was removed is still one that the journal knows', async () => {
  const service = await serviceByHand(() => undefined)
  const home = newHome()
  await addHandProfile(home, service.url)
  const paid = await succeeds(paydesk([...create({ profile: 'hand' }), '--json'], { home }))
  await succeeds(paydesk(['profile', 'remove', 'hand', '--yes'], { home }))
  const listed = await succeeds(paydesk(['journal', 'list', '-p', 'hand', '--json'], { home }))
  expect(listed.json).toMatchObject([{ journalId: paid.json.journalId }])
  expect(await paydesk(['payout', 'get', '5', '-p', 'hand'], { home })).toMatchObject({ code: 4 })
})
