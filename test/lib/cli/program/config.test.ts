import { join } from 'node:path'
import { env } from 'node:process'
import { Config } from '@oclif/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ProgramParts } from '../../../../src/lib/cli/program/answer.ts'
import { startingConfig, wholeConfig } from '../../../../src/lib/cli/program/config.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const nothing = () => {
  throw new Error('nothing is asked of it')
}
const program: ProgramParts = {
  root,
  name: 'paydesk',
  version: '1.2.3',
  commands: [],
  helpPage: nothing,
  completion: nothing,
  load: nothing,
}
const variables = ['HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'PAYDESK_DATA_DIR'] as const
const before = { ...env }

beforeEach(() => {
  for (const name of variables) delete env[name]
})

afterEach(() => {
  Object.assign(env, before)
})

test.each([
  [{ HOME: '/home/nino' }],
  [{}],
  [{ HOME: '/home/nino', XDG_CACHE_HOME: '/cache', XDG_CONFIG_HOME: '/config', XDG_DATA_HOME: '/data' }],
  [{ HOME: '/home/nino', PAYDESK_DATA_DIR: '/elsewhere' }],
])('the directories are those of oclif with %j', async (given) => {
  Object.assign(env, given)
  const theirs = await Config.load({ root })
  const { cacheDir, configDir, dataDir, home } = startingConfig(program, { env })
  expect({ cacheDir, configDir, dataDir, home }).toEqual({
    ...{ cacheDir: theirs.cacheDir, configDir: theirs.configDir, dataDir: theirs.dataDir, home: theirs.home },
  })
})

test('commands are listed when they are asked for', async () => {
  const config = startingConfig(program, { env })
  expect(config.commands).toEqual([])
  expect((await wholeConfig(config)).findCommand('payout:create')?.summary).toMatch(/^Pay a beneficiary/)
})
