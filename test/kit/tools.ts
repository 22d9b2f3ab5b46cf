/** Waiting, ports, samples of large matrices, and measured work. */

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export async function until(what: string, isTrue: () => Promise<boolean> | boolean, patience = 60_000): Promise<void> {
  const end = Date.now() + patience
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`it never came true: ${what}`)
    await wait(20)
  }
}

const [lowest, end] = [10_000, 32_000]

/** A port of 127.0.0.1 on which nothing listens, and on which no other test will. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, end)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** The fixed part of a large matrix that every run of the tests takes. */

/**
 * Pairs of two lists: the first of one with the first of the other, and so on, each list from its start again when it
 * ends.
 */
export function diagonal<One, Other>(
  one: readonly One[],
  other: readonly Other[],
  count: number,
): readonly (readonly [One, Other])[] {
  return Array.from({ length: count }, (_, at) => [cycled(one, at), cycled(other, at)] as const)
}

/** The value at a place of a list that begins again when it ends. */
export function cycled<Value>(values: readonly Value[], at: number): Value {
  const value = values[at % values.length]
  if (value === undefined) throw new Error('an empty list has no sample')
  return value
}

/** Milliseconds of work that this process has in something, however busy the machine is with others. */
export function workIn(something: () => void): number {
  const before = process.cpuUsage()
  something()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The least work of some runs, as soon as it is little enough: what else the machine does costs caches, too. */
export function leastWorkIn(something: () => void, enough: number, runs = 4): number {
  let least = workIn(something)
  for (let run = 1; run < runs && least >= enough; run += 1) least = Math.min(least, workIn(something))
  return least
}

/** A promise that is open once a test says so. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

type Send = (signal: 'SIGINT' | 'SIGTERM') => void

/** A signal to a command that runs in this process: `signals` is given to the command, `send` sends it one. */
export function signalLine(): { readonly send: Send; readonly signals: (send: Send) => void } {
  let target: Send = () => undefined
  return {
    send: (signal) => target(signal),
    signals: (send) => {
      target = send
    },
  }
}
