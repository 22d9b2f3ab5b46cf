/**
 * The places that a command of a scenario may touch: its own world, and files beside the scenario. A scenario comes from
 * others as a file, and must be safe to play without having been read.
 */
import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

/** Commands that work in the world of the scenario alone: none that makes profiles, listens, or calls an address it was given. */
const allowed: readonly (readonly string[])[] = [
  ...['payout', 'order', 'wallet', 'card', 'subscription', 'user', 'journal', 'resume', 'key', 'envelope', 'help'],
  ...['callback list', 'callback show', 'callback verify'],
  ...['sandbox world', 'sandbox ledger', 'sandbox callbacks', 'sandbox requests', 'sandbox openapi', 'sandbox trigger'],
  ...['sandbox clock', 'sandbox fault'],
].map((command) => command.split(' '))

/** Flags that name a file, to be read or to be written. */
export const fileFlag = /^--(?:to|keys|out|har|(?:[a-z-]+-)?(?:file|private-key|public-key))$/
const ownProfile = /^sandbox(?:-[a-z-]+)?$/

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return !isAbsolute(way) && way.split(sep)[0] !== '..'
}

/** The target of a path when its links are followed; null for a link that leads nowhere, which a new file would follow. */
function followed(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Null where that cannot be said: below a file, for one. */
function isThere(path: string): boolean | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return null
  }
}

/** True if a path names a file in the directory or below it, there already or not. */
export function isBeside(path: string, directory: string): boolean {
  const parts = path.split(/[\\/]/)
  if (isAbsolute(path) || parts.includes('..') || parts[0]?.startsWith('~')) return false
  const root = followed(directory) ?? directory
  for (let count = 1; count <= parts.length; count += 1) {
    const part = join(root, ...parts.slice(0, count))
    const there = isThere(part)
    if (there === false) return true
    const real = there === null ? null : followed(part)
    if (real === null || !isInside(real, root)) return false
  }
  return true
}

/** Every word that a file flag could take; the parser of flags takes fewer. */
function filesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const [flag = '', ...value] = word.split('=')
    if (!fileFlag.test(flag)) return []
    const rest = words.slice(at + 1)
    const end = rest.findIndex((each, place) => place > 0 && each.startsWith('-'))
    return [...(value.length > 0 ? [value.join('=')] : []), ...(end < 0 ? rest : rest.slice(0, end))]
  })
}

function profilesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const [, joined] = /^(?:--profile=|-p=?)(.+)$/s.exec(word) ?? []
    if (joined !== undefined) return [joined]
    return word === '--profile' || word === '-p' ? (words[at + 1] ?? []) : []
  })
}

/** The place outside the scenario that a command line would touch, in words; null where it stays inside. */
export function trespass(words: readonly string[], directory: string): string | null {
  if (!allowed.some((command) => command.every((word, at) => words[at] === word))) {
    const [command = ''] = [
      words
        .slice(0, 2)
        .filter((word) => !word.startsWith('-'))
        .join(' '),
    ]
    return `cannot run "${command}": a scenario has its own world, and no other profile, address or listener`
  }
  if (words.includes('--open')) return 'cannot open a browser'
  const foreign = profilesIn(words).find((name) => !ownProfile.test(name))
  if (foreign !== undefined) return `cannot be the profile "${foreign}": only those of the sandbox are in its world`
  // The files of `key` are bare words, too.
  const files = words[0] === 'key' ? words.filter((word) => !word.startsWith('-')) : []
  const outside = [...filesIn(words), ...files].find((path) => !isBeside(path, directory))
  return outside === undefined ? null : `cannot touch "${outside}": only files beside the scenario are in its world`
}
