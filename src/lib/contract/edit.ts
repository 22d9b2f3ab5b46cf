/** Edits of the content of a callback, as people type them: `--set status=FAILED`, `--set cardInfo.cardMask=…`. */
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { readJson } from '../json.ts'
import { isMembers, type Members } from './core/members.ts'

export interface MemberEdit {
  readonly path: readonly string[]
  /** As it was typed. */
  readonly value: string
}

function refused(typed: string, why: string): Failure {
  return new Failure('usage', `--set ${typed.split('=')[0] ?? ''}: ${why}`, {
    hints: [
      hint`Write --set status=FAILED or --set cardInfo.cardMask=…; members of a list by their number, a dot in a name as \\.`,
    ],
  })
}

/** The names of a path; a backslash takes the meaning from a dot, or from another backslash. */
function namesIn(path: string): string[] {
  const names = ['']
  for (const [piece] of path.matchAll(/\\.|[^\\]|\\$/gsu)) {
    if (piece === '.') names.push('')
    else names.push(`${names.pop() ?? ''}${piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece}`)
  }
  return names
}

/** Throws Failure('usage'). */
export function readEdit(typed: string): MemberEdit {
  const at = typed.indexOf('=')
  if (at < 0) throw refused(typed, 'there is no = in it')
  const path = namesIn(typed.slice(0, at))
  if (path.some((name) => name === '')) throw refused(typed, 'a name in it is empty')
  if (path.includes('__proto__')) throw refused(typed, 'there is no such member')
  return { path, value: typed.slice(at + 1) }
}

/** A typed value: JSON where it is some, else a text. Where a text stands, a number stays one. */
function typedValue(typed: string, present: unknown): unknown {
  let value: unknown
  try {
    value = readJson(typed)
  } catch {
    return typed
  }
  const isText = typeof present === 'string' && !/^\s*["{[]/.test(typed) && value !== null
  return isText ? typed : value
}

function indexIn(list: readonly unknown[], name: string): number | null {
  const index = /^(0|[1-9]\d{0,5})$/.test(name) ? Number(name) : -1
  return index >= 0 && index <= list.length ? index : null
}

function changed(here: unknown, path: readonly string[], edit: MemberEdit, typed: string): unknown {
  const [name, ...rest] = path
  if (name === undefined) return typedValue(edit.value, here)
  if (Array.isArray(here)) {
    const at = indexIn(here, name)
    if (at === null) throw refused(typed, `the list has no place ${name}`)
    return Object.assign([...here], { [at]: changed(here[at], rest, edit, typed) })
  }
  if (here !== undefined && here !== null && !isMembers(here)) throw refused(typed, `${name} would stand in a value`)
  const members = here ?? {}
  const present = Object.hasOwn(members, name) ? (members as Record<string, unknown>)[name] : undefined
  return { ...members, [name]: changed(present, rest, edit, typed) }
}

/** The payload with every edit made, in their order; members keep their places. Throws Failure('usage'). */
export function applyEdits(payload: Members, edits: readonly MemberEdit[]): Record<string, unknown> {
  let now: unknown = payload
  for (const edit of edits) now = changed(now, edit.path, edit, `${edit.path.join('.')}=`)
  return now as Record<string, unknown>
}
