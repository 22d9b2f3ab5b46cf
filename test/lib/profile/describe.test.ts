import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeProfile } from '../../../src/lib/profile/describe.ts'
import type { GivenSettings } from '../../../src/lib/profile/settings.ts'
import { keyPair } from '../../kit/key-pairs.ts'
import { add, clientId, contextIn, drawer, plainGiven, put } from '../../kit/profile.ts'

async function described(directory: string, given: GivenSettings, env: Record<string, string> = {}) {
  const { profile } = await add(directory, 'acme', { ...plainGiven, 'client-id': clientId, ...given, replace: true })
  return describeProfile(profile, await contextIn(directory).profiles.read(), env)
}

test('of a secret in a file it is said whether it can be read, and by whom', async () => {
  const directory = drawer()
  const path = put(directory, 'secret', 's3cret')
  const { profile } = await add(directory, 'acme', { ...plainGiven, 'client-id': clientId, 'client-secret-file': path })
  const look = async () => describeProfile(profile, await contextIn(directory).profiles.read(), {}).clientSecret
  const where = { from: 'file', where: `the file ${path}` }
  expect(await look()).toEqual({ ...where, there: true, remark: null })
  rmSync(path)
  expect(await look()).toEqual({ ...where, there: false, remark: 'cannot be read: it does not exist' })
  writeFileSync(path, 's', { mode: 0o644 })
  expect(await look()).toMatchObject({ there: true, remark: 'others can read it' })
})

test('of a secret in a variable it is said whether it is set, and what overrides it', async () => {
  const directory = drawer()
  const given = { 'client-secret-env': 'PAY' }
  expect((await described(directory, given)).clientSecret).toMatchObject({ there: false, remark: 'is not set' })
  expect((await described(directory, given, { PAY: 's' })).clientSecret).toMatchObject({ there: true })
  const overridden = await described(directory, given, { PAYDESK_CLIENT_SECRET: 's' })
  expect(overridden.clientSecret?.where).toBe('the environment variable PAYDESK_CLIENT_SECRET')
})

test('files that are gone are problems, and settings that are not given are null', async () => {
  const directory = drawer()
  const key = put(directory, 'key', (await keyPair(2048)).privateKey)
  const { profile } = await add(directory, 'acme', { ...plainGiven, 'private-key': key })
  rmSync(key)
  const shown = describeProfile(profile, await contextIn(directory).profiles.read(), {})
  expect(shown.problems).toEqual([`--private-key: ${key} cannot be read: it does not exist`])
  expect(shown).toMatchObject({ clientId: null, clientSecret: null, duplicateGuard: 'warn', default: false })
})
