/** The files that a profile is given: looked at when they are given, so that a wrong path is found by day and not at night. */
import type { Members } from '../../contract/core/members.ts'
import { type Half, readKey, smallExponent } from '../../envelope/key.ts'
import { contents, mustBeOwn, othersMayRead, unreadable } from '../../readable-file.ts'
import { readCertificateKey, readCertificates } from '../secrets/certificate.ts'
import type { FlagComplaint } from './given.ts'
import { settingNames, settings } from './setting.ts'

/** Files that only their owner should be able to read. */
const secretFiles: readonly string[] = ['clientKeyFile', 'privateKeyFile', 'walletPrivateKeyFile', 'callbackSecretFile']

/** Files that hold an RSA key, and the half that each must hold. */
const keyFiles: Readonly<Record<string, Half>> = {
  privateKeyFile: 'private',
  walletPrivateKeyFile: 'private',
  servicePublicKeyFile: 'public',
  walletServicePublicKeyFile: 'public',
}

const wrongHalf = {
  private: 'is a public key; opening needs the private half of your pair',
  public: 'is a private key where the public one of the service belongs',
} as const

/** The complaint about a key, or a warning about it. */
function judgedKey(name: string, path: string): { readonly complaint?: string; readonly warning?: string } {
  const half = keyFiles[name]
  const file = half === undefined ? null : contents(path)
  if (half === undefined || file === null || 'why' in file) return {}
  const read = readKey(file.bytes)
  if (!read.ok) return { complaint: read.complaint }
  if (read.key.type !== half) return { complaint: wrongHalf[half] }
  const unusual = smallExponent(read.key)
  return unusual === null ? {} : { warning: `the key in ${path} ${unusual}` }
}

/** The path of a setting that is a file; null where it is not given. */
function pathIn(values: Members, name: string): string | null {
  const path = values[name]
  return typeof path === 'string' && path !== '' ? path : null
}

function complaintAbout(name: string, path: string, merged: Members): string | null {
  const why = unreadable(path)
  if (why !== null) return `cannot be read: ${why}`
  const { complaint } = judgedKey(name, path)
  if (complaint !== undefined) return complaint
  if (name === 'caFile' || name === 'clientCertificateFile') {
    const read = readCertificates(path)
    return 'complaint' in read ? read.complaint : null
  }
  const certificateFile = pathIn(merged, 'clientCertificateFile')
  if (name !== 'clientKeyFile') return null
  const certificate = certificateFile === null ? null : readCertificates(certificateFile)
  // A certificate that cannot be read is its own complaint.
  if (certificate !== null && !('pem' in certificate)) return null
  const key = readCertificateKey(path, certificate?.pem ?? null)
  return 'complaint' in key ? key.complaint : null
}

/** Complaints about the files given now (`draft`), in the light of the settings that the profile has already (`merged`). */
export function lookAtFiles(draft: Members, merged: Members) {
  const complaints: FlagComplaint[] = []
  const warnings: string[] = []
  for (const name of settingNames) {
    const { flag, takes } = settings[name]
    const path = takes === 'file' ? pathIn(draft, name) : null
    if (path === null) continue
    const complaint = complaintAbout(name, path, merged)
    mustBeOwn(path, 'the file')
    const { warning } = complaint === null ? judgedKey(name, path) : {}
    if (warning !== undefined) warnings.push(warning)
    if (complaint !== null) complaints.push({ flag, message: `${path} ${complaint}` })
    else if (secretFiles.includes(name) && othersMayRead(path)) {
      warnings.push(`others may read ${path}: chmod 600 keeps it to yourself`)
    }
  }
  return { complaints, warnings }
}
