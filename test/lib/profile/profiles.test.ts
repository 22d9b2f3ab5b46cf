import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { Profiles } from '../../../src/lib/profile/profiles.ts'
import { readSettings, type StoredSettings } from '../../../src/lib/profile/stored.ts'
import { drawer, modeOf, plainGiven, put } from '../../kit/profile.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

function settings(more: Record<string, unknown> = {}): StoredSettings {
  const read = readSettings({ baseUrl: 'https://pay.example.com', environment: 'test', ...more })
  if (!read.ok) throw new Error('wrong settings in a test')
  return read.settings
}

function written(profiles: Profiles) {
  return JSON.parse(readFileSync(profiles.path, 'utf8'))
}

async function addInProcess(directory: string, name: string): Promise<number> {
  const script = fileURLToPath(new URL('./add-profile.ts', import.meta.url))
  const argv = ['--import', 'tsx', script, directory, name, JSON.stringify(plainGiven)]
  const [code] = await once(spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit')
  return code as number
}

const crowd = 8

test(`${crowd} processes that add profiles at once lose none of them`, { timeout: 60_000 }, async () => {
  const directory = join(drawer(), 'config')
  const names = Array.from({ length: crowd }, (_, index) => `shop-${index}`)
  const codes = await Promise.all(names.map((name) => addInProcess(directory, name)))
  expect(codes).toEqual(names.map(() => 0))
  const profiles = new Profiles(directory)
  expect((await profiles.read()).names).toEqual(names.toSorted())
  expect(modeOf(profiles.path)).toBe('600')
  expect(readdirSync(directory).toSorted()).toEqual(['config.json', 'config.json-lock'])
})

test('the configuration is for its owner only, after every write', async () => {
  const directory = join(drawer(), 'config')
  const profiles = new Profiles(directory)
  await profiles.put('acme', async () => settings())
  expect([modeOf(directory), modeOf(profiles.path), modeOf(`${profiles.path}-lock`)]).toEqual(['700', '600', '600'])
  chmodSync(profiles.path, 0o644)
  await profiles.use('acme')
  expect(modeOf(profiles.path)).toBe('600')
  await profiles.put('other', async () => settings())
  expect(modeOf(profiles.path)).toBe('600')
  await profiles.remove('acme')
  expect([modeOf(directory), modeOf(profiles.path)]).toEqual(['700', '600'])
})

test('a damaged configuration is said, never quoted and never written over', async () => {
  const secret = 'do-not-show-me'
  const texts = [`{"profiles": {"a": "${secret}" oops`, '', 'null', '[]', `"${secret}"`, `{"profiles":["${secret}"]}`]
  for (const text of texts) {
    const directory = drawer()
    const path = put(directory, 'config.json', text)
    const profiles = new Profiles(directory)
    for (const work of [
      profiles.read(),
      profiles.put('acme', async () => settings()),
      profiles.use('sandbox'),
      profiles.remove('acme'),
    ]) {
      const error = await work.catch((thrown) => thrown)
      const message = expect.stringContaining(`config file ${path} cannot be read: `)
      expect(error).toMatchObject({ kind: 'credentials', message })
      expect(JSON.stringify(error.toLine())).not.toContain(secret)
    }
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
})

test('a directory that cannot be made is unsent: nothing was changed', async () => {
  const profiles = new Profiles(join(put(drawer(), 'file', ''), 'config'))
  await expect(profiles.put('acme', async () => settings())).rejects.toMatchObject({ kind: 'unsent' })
})

test('one broken profile does not take the others along, and can be removed', async () => {
  const directory = drawer()
  const profiles = new Profiles(directory)
  const whole = { profiles: { good: settings(), bad: { baseUrl: 'ftp://x', environment: 'test' } } }
  writeFileSync(profiles.path, JSON.stringify(whole))
  const kept = await profiles.read()
  expect(kept.profile('good')?.environment).toBe('test')
  expect(() => kept.profile('bad')).toThrow(
    /profile bad in .*config\.json cannot be used: "baseUrl" must begin with https/,
  )
  expect((await profiles.remove('bad')).names).toEqual(['good'])
})

test('keys that a newer paydesk wrote are kept through a change', async () => {
  const directory = drawer()
  const profiles = new Profiles(directory)
  const future = { theme: 'dark', defaultProfile: 'old', profiles: { old: { ...settings(), quota: [1, { a: null }] } } }
  writeFileSync(profiles.path, JSON.stringify(future))
  await profiles.put('new', async () => settings())
  expect(written(profiles)).toEqual({ ...future, profiles: { ...future.profiles, new: settings() } })
})

test('a change that fails leaves everything as it was', async () => {
  const profiles = new Profiles(drawer())
  await profiles.put('acme', async () => settings())
  const failing = profiles.put('other', async () => {
    throw new Error('no keyring')
  })
  await expect(failing).rejects.toThrow('no keyring')
  expect((await profiles.read()).names).toEqual(['acme'])
})
