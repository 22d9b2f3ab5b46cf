/**
 * The process that has an intent in flight. A process that was killed must not keep its intents locked until some lease runs
 * out, so a holder of this machine is asked for: is that process still there, and is it the same one?
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { bootName } from '../../edge.ts'
import type { KnownFor } from '../team/sightings.ts'

export interface Holding {
  /** The name of this process among all. */
  readonly self: string
  /** The state of a holder: `unknown` where it cannot be looked up, on another machine or in another container. */
  standing(holder: string): HolderState
  /** The public key of the person at it; null without one. Asked for only where a rule is. */
  readonly person?: () => Promise<string | null>
  /** The time for which this machine has known an attempt of another one. Absent where all are of this machine. */
  readonly knownFor?: KnownFor
}

export type HolderState = 'alive' | 'gone' | 'unknown'

/** The start of a process, in ticks; tells two processes with the same number apart. Empty where the system does not say. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Killed and not yet reaped by its parent: it does nothing any more.
    return /[ZX]/.test(state) ? 'gone' : (rest[18] ?? '')
  } catch {
    return ''
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function standing(holder: string): HolderState {
  const [host = '', pid = '', start = '', space = namespace()] = holder.split('/')
  if (host !== hostname() || space !== namespace()) return 'unknown'
  if (!exists(Number(pid))) return 'gone'
  // Without start times, another process may have the number by now.
  if (start === '' && startOf(process.pid) === '') return 'unknown'
  return startOf(Number(pid)) === start ? 'alive' : 'gone'
}

/** A holder as a person reads it: "process 31575 on vm". */
export function holderInWords(holder: string): string {
  const [host = '', pid] = holder.split('/')
  return pid === undefined ? host : `process ${pid} on ${host}`
}

/** The numbers of processes mean something only inside their own namespace: another container's cannot be looked up. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}

/**
 * `any-machine`: holders may be of machines that bear the same name. Only one of this very start of this machine is looked up; of
 * others the lease decides.
 */
export function thisProcess(among: 'this-machine' | 'any-machine' = 'this-machine'): Holding {
  const self = `${hostname()}/${process.pid}/${startOf(process.pid)}/${namespace()}`
  if (among === 'this-machine') return { self, standing }
  const boot = bootName()
  const isHere = (holder: string) => boot !== '' && holder.endsWith(`/${boot}`)
  return { self: `${self}/${boot}`, standing: (holder) => (isHere(holder) ? standing(holder) : 'unknown') }
}
