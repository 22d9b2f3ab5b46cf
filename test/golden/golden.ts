// One golden exchange is two files, so that either side can be held to its half alone.
// `unique_id` is new for every exchange; `unique_id_…` is made once and handed back, because a later exchange repeats it.

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitHead } from './message.ts'
import { fillText, type Values } from './placeholder.ts'

export interface Pair {
  readonly name: string
  readonly request: Buffer
  readonly answer: Buffer
}

export type Shape = 'documented' | 'recorded'

export interface FilledRequest {
  readonly bytes: Buffer
  readonly values: Values
  readonly made: Values
}

export function loadPair(folder: string, name: string): Pair {
  return {
    name,
    request: readFileSync(join(folder, `${name}.request.http`)),
    answer: readFileSync(join(folder, `${name}.answer.http`)),
  }
}

export function loadPairs(folder: string, shape: Shape = 'documented'): Pair[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.request.http') && file.startsWith('recorded-') === (shape === 'recorded'))
    .map((file) => file.slice(0, -'.request.http'.length))
    .sort()
    .map((name) => loadPair(folder, name))
}

export function fillRequest(golden: Buffer, given: Values): FilledRequest {
  const values: Record<string, string> = { ...given }
  const made: Record<string, string> = {}
  const lookUp = (name: string): string => {
    const known = values[name]
    if (known !== undefined) return known
    if (name !== 'unique_id' && !name.startsWith('unique_id_')) throw new Error(`no value for {{${name}}}`)
    const fresh = randomUUID()
    values[name] = fresh
    if (name !== 'unique_id') made[name] = fresh
    return fresh
  }
  const { head, rest } = splitHead(golden)
  const body = Buffer.from(
    fillText(rest.toString('utf8'), (name) => JSON.stringify(lookUp(name)).slice(1, -1)),
    'utf8',
  )
  const filled = fillText(head, (name) => (name === 'content_length' ? String(body.length) : lookUp(name)))
  return { bytes: Buffer.concat([Buffer.from(`${filled}\r\n\r\n`, 'latin1'), body]), values, made }
}
