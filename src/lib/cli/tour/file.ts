/** Files that are named in a tour: looked at while one types, by the rules of `profile add`. */
import { resolve } from 'node:path'
import { readPrivateKey, readPublicKey } from '../../envelope/keys/key.ts'
import { Failure } from '../../failure.ts'
import { secretOf } from '../../profile/secrets/secret.ts'
import { contents, mustBeOwn, othersMayRead } from '../../readable-file.ts'
import { madeOut } from '../prompts/typed-path.ts'

export function typedPath(typed: string): string {
  return resolve(madeOut(typed, undefined))
}

type Kind = 'secret' | 'private key' | 'public key'

function complaintAbout(kind: Kind, path: string): string | null {
  const file = contents(path)
  if ('why' in file) return `${path} cannot be read: ${file.why}.`
  if (kind === 'secret') {
    const read = secretOf(file.bytes)
    return read.ok ? null : `${path} ${read.complaint}.`
  }
  const read = kind === 'private key' ? readPrivateKey : readPublicKey
  read(file.bytes, path)
  return null
}

/** The rule of a file's name. One that others may read is taken when Enter is pressed once more. */
export function fileRule(kind: Kind): (typed: string) => string | null {
  let warned = ''
  return (typed) => {
    const path = typedPath(typed)
    try {
      mustBeOwn(path, 'the file')
      const complaint = complaintAbout(kind, path)
      if (complaint !== null) return complaint
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return `${error.message}.`
    }
    if (kind === 'public key' || !othersMayRead(path) || warned === path) return null
    warned = path
    return `Others may read ${path}: chmod 600 keeps it to yourself. Enter once more takes it as it is.`
  }
}

/** The rule of the name of a file that is to be made, with the ones that are made beside it. */
export function newFileRule(isThere: (path: string) => boolean, endings: readonly string[] = ['']) {
  return (typed: string): string | null => {
    const taken = endings.map((ending) => `${typedPath(typed)}${ending}`).find(isThere)
    return taken === undefined ? null : `${taken} exists already, and nothing is ever written over it.`
  }
}
