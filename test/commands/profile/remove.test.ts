import { PassThrough } from 'node:stream'
import { Config } from '@oclif/core'
import { expect, test } from 'vitest'
import ProfileRemove from '../../../src/commands/profile/remove.ts'
import { type Edge, realEdge } from '../../../src/lib/edge.ts'
import { builtIn } from '../../../src/lib/profile/built-in.ts'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'

async function homeWithAcme(): Promise<string> {
  const home = newHome()
  await paydesk(['profile', 'add', 'acme', '--base-url', 'https://x.ge', '--environment', 'test', '--use'], { home })
  return home
}

async function names(home: string): Promise<string[]> {
  const { stdout } = await paydesk(['profile', 'list', '--json'], { home })
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)
}

/** Removes acme at a terminal, answering the question as soon as it is drawn. Gives back the exit code. */
async function removeAnswering(home: string, answer: string): Promise<number> {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 })
  const stdin = terminal()
  // inquirer ends its output; the streams of a process cannot be ended.
  const stderr = Object.assign(terminal(), { end: () => stderr })
  let screen = ''
  stderr.on('data', (chunk: Buffer) => {
    const asked = screen.includes('Remove the profile acme?')
    screen += chunk.toString()
    if (!asked && screen.includes('Remove the profile acme?')) setImmediate(() => stdin.write(`${answer}\r`))
  })
  let code = -1
  const exit = (given: number) => {
    code = given
  }
  const streams = { stdin, stdout: terminal().resume(), stderr }
  const edge: Edge = { ...realEdge(), ...streams, env: { PAYDESK_HOME: home }, onSignal: () => () => undefined, exit }
  await new ProfileRemove(['acme'], await Config.load({ root: process.cwd() }), edge)._run()
  return code
}

test('profile remove: --yes removes the profile and warns when it was the default', async () => {
  const home = await homeWithAcme()
  const { code, json } = await paydesk(['profile', 'remove', 'acme', '--yes', '--json'], { home })
  expect(code).toBe(0)
  expect(json).toMatchObject({ name: 'acme', wasDefault: true, warnings: [expect.stringContaining('the default')] })
  expect(await names(home)).toEqual(builtIn)
})

test('profile remove: off a terminal without --yes it is refused (2) and nothing is removed', async () => {
  const home = await homeWithAcme()
  const { code, stderr } = await paydesk(['profile', 'remove', 'acme'], { home })
  expect(code).toBe(2)
  expect(stderr).toContain('--yes')
  expect(await names(home)).toContain('acme')
})

test('profile remove: at a terminal no keeps the profile (3) and yes removes it (0)', async () => {
  const home = await homeWithAcme()
  expect(await removeAnswering(home, 'no')).toBe(3)
  expect(await names(home)).toContain('acme')
  expect(await removeAnswering(home, 'yes')).toBe(0)
  expect(await names(home)).not.toContain('acme')
})

test('profile remove: an unknown or built-in profile is refused (4)', async () => {
  const home = await homeWithAcme()
  for (const name of ['acne', 'sandbox']) {
    const { code } = await paydesk(['profile', 'remove', name, '--yes'], { home })
    expect(code).toBe(4)
  }
})
