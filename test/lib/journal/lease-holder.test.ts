import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { thisProcess } from '../../../src/lib/journal/lease.ts'
import { otherProcess } from '../../kit/process.ts'
import { until } from '../../kit/tools.ts'

const leaseHolder = thisProcess()
const linux = process.platform === 'linux'

test('this process is alive under its own name', () => {
  expect(leaseHolder.self.startsWith(`${hostname()}/${process.pid}/`)).toBe(true)
  expect(leaseHolder.standing(leaseHolder.self)).toBe('alive')
  expect(thisProcess().self).toBe(leaseHolder.self)
})

test('another process is alive until it is killed', async () => {
  const { child, name } = await otherProcess()
  expect(leaseHolder.standing(name)).toBe('alive')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(leaseHolder.standing(name)).toBe('gone')
})

test.runIf(linux)('a process that got the number of a dead one is not taken for it', async () => {
  const { child, name } = await otherProcess()
  const start = Number(name.split('/')[2])
  expect(start).toBeGreaterThan(0)
  expect(leaseHolder.standing(`${hostname()}/${child.pid}/${start - 1}`)).toBe('gone')
  expect(leaseHolder.standing(`${hostname()}/${child.pid}/`)).toBe('gone')
  expect(leaseHolder.standing(`${hostname()}/1/${start}`)).toBe('gone')
})

test.runIf(linux)('a blank and a bracket in the name of a program do not confuse when it started', async () => {
  const child = spawn(
    process.execPath,
    ['-e', `process.title = 'a) R 1 (b'; process.stdout.write('up'); setInterval(() => {}, 1000)`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout, 'data')
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const start = fields.slice(fields.lastIndexOf(') ') + 2).split(' ')[19]
  expect(leaseHolder.standing(`${hostname()}/${child.pid}/${start}`)).toBe('alive')
})

test('a process of another machine cannot be looked up', () => {
  expect(leaseHolder.standing(`not-${hostname()}/1/1`)).toBe('unknown')
  expect(leaseHolder.standing('')).toBe('unknown')
})

test('a number that no process has is not alive', () => {
  expect(leaseHolder.standing(`${hostname()}/4194999/1`)).toBe('gone')
})

test.runIf(linux)('a process that was killed and not yet reaped by its parent is gone', async () => {
  // The shell becomes a program that never asks how its child ended.
  const child = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [text] = await once(child.stdout, 'data')
  const pid = Number(String(text))
  const fields = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const name = `${hostname()}/${pid}/${fields()[19]}`
  await until('its parent is the other program', () => readFileSync(`/proc/${child.pid}/comm`, 'utf8') === 'sleep\n')
  expect(leaseHolder.standing(name)).toBe('alive')
  process.kill(pid, 'SIGKILL')
  await until('it is dead', () => fields()[0] === 'Z')
  expect(leaseHolder.standing(name)).toBe('gone')
})
