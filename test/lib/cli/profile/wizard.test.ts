import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { profileByWizard, type Wizard } from '../../../../src/lib/cli/profile/wizard.ts'
import { wizardSteps } from '../../../../src/lib/cli/profile/wizard-steps.ts'
import type { Asker } from '../../../../src/lib/cli/prompts/ask.ts'
import { realClock, realRandom } from '../../../../src/lib/edge.ts'
import { systemKeyring } from '../../../../src/lib/profile/secret.ts'
import { clientId, contextIn, drawer, memoryKeyring } from '../../../kit/profile.ts'

/** A person whose answers are known by a word of their question. */
function person(said: Readonly<Record<string, string>>): Asker & { readonly offered: string[] } {
  const offered: string[] = []
  const answer = (message: string) => {
    const found = Object.entries(said).find(([word]) => message.includes(word))
    if (!found) throw new Error(`there is no answer to: ${message}`)
    return found[1]
  }
  const typed = async ({ message, validate }: Parameters<Asker['text']>[0]) => {
    const text = answer(message)
    expect(await validate(text)).toBe(true)
    return text
  }
  return {
    offered,
    text: typed,
    hidden: typed,
    choice: async (message, options) => {
      const values = options.map((option) => (typeof option === 'string' ? option : option.value))
      offered.push(...values)
      expect(values).toContain(answer(message))
      expect(values.length).toBeGreaterThan(1)
      return answer(message)
    },
    document: () => Promise.reject(new Error('there is nothing to write')),
  }
}

function wizardIn(directory: string, asker: Asker, keyring = systemKeyring) {
  const hidden: string[] = []
  const wizard: Wizard = {
    ...{ asker, clock: realClock, random: realRandom, name: 'acme' },
    context: contextIn(directory, { keyring }),
    given: { 'base-url': 'https://pay.example.com' },
    directory: join(directory, 'own'),
    hide: (secret) => hidden.push(secret),
    say: () => undefined,
  }
  return { hidden, wizard }
}

const plain = {
  'test service': 'test',
  'use there': 'payouts',
  'client id': clientId,
  'What is the client secret': 'planted-in-the-keyring',
  'limit on payouts': '',
  'the default profile': 'no',
  'Keep it': 'keep',
}

describe('the keyring in the wizard', () => {
  test('takes the secret where it works, and no file has it', async () => {
    const directory = drawer()
    const { keyring, secrets } = memoryKeyring()
    const asker = person({ ...plain, 'Where should': 'in the keyring of this machine' })
    const { wizard, hidden } = wizardIn(directory, asker, keyring)
    const { profile } = await profileByWizard(wizard)
    expect(profile.clientSecret).toEqual({ from: 'keyring' })
    expect([...secrets.values()]).toEqual(['planted-in-the-keyring'])
    expect(hidden).toContain('planted-in-the-keyring')
    expect(existsSync(join(directory, 'own'))).toBe(false)
  })

  test('limits are typed one at a time', () => {
    const settings = { directory: drawer(), names: [], hasKeyring: true, hide: () => undefined }
    const asked = wizardSteps(settings, {}).find(({ name }) => name === 'limit 0')
    expect(asked?.wrong?.('GEL 5000/payout, 100/hour', {})).toContain('one at a time')
    expect(asked?.wrong?.('GEL 5000/payout', {})).toBeNull()
  })

  test('a secret with a blank in it is not taken, by the name of the character', () => {
    const settings = { directory: drawer(), names: [], hasKeyring: true, hide: () => undefined }
    const asked = wizardSteps(settings, {}).find(({ name }) => name === 'secret')
    const wrong = (typed: string) => asked?.wrong?.(typed, { name: 'acme' })
    expect(asked?.isHidden).toBe(true)
    expect(wrong('pasted twice pasted')).toBe('The secret has a blank in it, as character 7: is it the right text?')
    expect(wrong('pasted')).toBeNull()
  })

  test('is offered only where it works', async () => {
    const broken = { ...memoryKeyring().keyring, read: () => Promise.reject(new Error('no bus')) }
    const asker = person({ ...plain, 'Where should': 'nowhere yet' })
    const { profile } = await profileByWizard(wizardIn(drawer(), asker, broken).wizard)
    expect(profile.clientSecret).toBeUndefined()
    expect(asker.offered).not.toContain('in the keyring of this machine')
  })

  test('that breaks at the end leaves no profile', async () => {
    const directory = drawer()
    const broken = { ...memoryKeyring().keyring, write: () => Promise.reject(new Error('it is locked')) }
    const asker = person({ ...plain, 'Where should': 'in the keyring of this machine' })
    const { wizard } = wizardIn(directory, asker, broken)
    await expect(profileByWizard(wizard)).rejects.toThrow('it is locked')
    expect((await wizard.context.profiles.read()).names).toEqual([])
  })
})
