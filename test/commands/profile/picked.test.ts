/** A command at a terminal where several profiles exist, none is the default, and none was named. */
import { expect, test } from 'vitest'
import { beneficiaryIban, create } from '../../kit/payment.ts'
import { answers, atTerminal, newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, serviceByHand } from '../../kit/service.ts'
import { ledgerOf } from '../../kit/world.ts'

const down = '\x1b[B'
const without = create({ profile: null, yes: null })

/** A home with the profiles hand and other, and the service of both. */
async function withTwo(names: readonly string[] = ['other']) {
  const home = newHome()
  const service = await serviceByHand(() => undefined)
  await addHandProfile(home, service.url)
  const own = [
    '--base-url',
    service.url,
    '--environment',
    'test',
    '--client-id',
    '5a9db0c0-0001-4a11-8c11-000000000001',
  ]
  for (const name of names) {
    const added = await paydesk(['profile', 'add', name, ...own, '--client-secret-file', `${home}/hand.secret`], {
      home,
    })
    expect(added.code, added.stderr).toBe(0)
  }
  return { home, service }
}

test('at a terminal with several profiles and none named, the profile is picked, and the command acts as it', async () => {
  const { home } = await withTwo()
  const added = ['payee', 'add', '--beneficiary-name', 'Nino Beridze', '--to-iban', beneficiaryIban]
  await succeeds(atTerminal(added, { home }, [/Which profile\?[\s\S]*other/, `${down}\r`]))
  const listed = await paydesk(['payee', 'list', '-p', 'other', '--json'], { home })
  expect(listed.json, listed.stderr).toMatchObject([{ profile: 'other', name: 'Nino Beridze' }])
  expect((await paydesk(['payee', 'list', '-p', 'hand', '--json'], { home })).json).toEqual([])
})

test('payout create at a terminal: the question names the picked profile, which is asked for once', async () => {
  const { home, service } = await withTwo()
  const ended = await atTerminal(without, { home }, [/Which profile\?/, `${down}\r`], [/Send it\?/, 'no\r'])
  expect(ended.code, ended.stderr).toBe(3)
  expect(ended.log.replaceAll(/\s+/g, ' ')).toContain('as other (test)')
  expect(service.creates).toEqual([])
})

test('payout create at a terminal: the sandbox can be picked among several profiles', async () => {
  const { home } = await withTwo()
  const ended = await paydesk([...without, '--json'], {
    ...{ home, terminal: true, dialogue: answers([/Which profile\?/, '\x1b[A\r'], [/Send it\?/, 'send\r']) },
  })
  expect(ended.json, ended.stderr).toMatchObject({ outcome: 'accepted', profile: 'sandbox' })
  expect(await ledgerOf(home)).toHaveLength(1)
})

test('at a terminal ^C at the question for the profile is 130, and nothing is sent', async () => {
  const { home, service } = await withTwo()
  const ended = await atTerminal(without, { home }, [/Which profile\?/, '\x03'])
  expect(ended.code).toBe(130)
  expect(service.creates).toEqual([])
})

test('without a terminal, with --no-input and with one profile alone nobody is asked for the profile (4)', async () => {
  const { home } = await withTwo()
  expect(await paydesk([...without, '--json'], { home })).toMatchObject({ code: 4, stdout: '' })
  expect(await paydesk([...without, '--no-input'], { home, terminal: true })).toMatchObject({ code: 4 })
  const { home: alone } = await withTwo([])
  expect(await paydesk(without, { home: alone, terminal: true })).toMatchObject({ code: 4 })
})
