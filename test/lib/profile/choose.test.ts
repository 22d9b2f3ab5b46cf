import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chooseProfile, namingIn } from '../../../src/lib/profile/choose.ts'
import { add, contextIn, drawer, plainGiven } from '../../kit/profile.ts'

async function withProfiles() {
  const directory = drawer()
  await add(directory, 'acme', plainGiven)
  await add(directory, 'other', plainGiven)
  const { profiles } = contextIn(directory)
  const choose = (flag?: string, env: Record<string, string> = {}, atTerminal = false) =>
    chooseProfile({ flag, env, atTerminal }, profiles)
  return { profiles, choose }
}

test('the flag comes before the variable, the variable before the default', async () => {
  const { profiles, choose } = await withProfiles()
  await profiles.use('sandbox')
  expect(await choose('acme', { PAYDESK_PROFILE: 'other' })).toMatchObject({ profile: { name: 'acme' } })
  expect(await choose(undefined, { PAYDESK_PROFILE: 'other' })).toMatchObject({ profile: { name: 'other' } })
  expect(await choose(undefined, { PAYDESK_PROFILE: '' })).toEqual({ kind: 'sandbox', name: 'sandbox' })
  const builtIn = { kind: 'sandbox', name: 'sandbox-receiver' }
  expect(await choose(undefined, { PAYDESK_PROFILE: 'sandbox-receiver' })).toEqual(builtIn)
  await profiles.use('other')
  expect(await choose()).toMatchObject({ kind: 'stored', profile: { name: 'other' } })
})

test('a damaged configuration stops everything but a sandbox that was named', async () => {
  const { profiles, choose } = await withProfiles()
  writeFileSync(profiles.path, '{')
  expect(await choose('sandbox')).toEqual({ kind: 'sandbox', name: 'sandbox' })
  await expect(choose(undefined, {}, true)).rejects.toMatchObject({ kind: 'credentials' })
})

test('a line to paste names its profile unless this shell and a new one both take it by themselves', async () => {
  const { profiles } = await withProfiles()
  const named = (profile: string | null, flag?: string, env: Record<string, string> = {}, atTerminal = false) =>
    namingIn({ flag, env, atTerminal }, profiles)(profile)
  expect(named(null)).toBeNull()
  expect(named(null, 'acme')).toBe('acme')
  expect(named(null, undefined, { PAYDESK_PROFILE: 'acme' })).toBe('acme')
  expect(named('sandbox', undefined, {}, true)).toBe('sandbox')
  expect(named('sandbox')).toBe('sandbox')
  expect(named('sandbox', 'sandbox', {}, true)).toBe('sandbox')
  await profiles.use('acme')
  expect(named(null, 'acme')).toBeNull()
  expect(named('acme')).toBeNull()
  expect(named('other')).toBe('other')
  expect(named(null, 'acme', { PAYDESK_PROFILE: 'other' })).toBe('acme')
  writeFileSync(profiles.path, 'damaged')
  expect(named(null, 'acme')).toBe('acme')
})
