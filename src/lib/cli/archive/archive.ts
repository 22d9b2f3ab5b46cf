/**
 * The HTTP archive of a command (--har): a whole document after each exchange, so that one that is killed leaves what there was.
 * An archive that cannot be written any more stops no payment.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import type { Line } from '../../client/exchange.ts'
import { printableJson } from '../../json.ts'
import type { Invocation } from '../invocation.ts'
import { unwritable } from '../output/new-file.ts'
import { entryOf } from './entry.ts'

type Recorder = NonNullable<Line['record']>

const end = '\n]}}\n'

function beginning(version: string): string {
  const head = { version: '1.2', creator: { name: 'paydesk', version }, comment: 'Secrets are hidden.' }
  return `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`
}

/** A new file, readable by its owner only; one that exists and a link are refused. */
function newFile(path: string): number {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0 } = constants
  try {
    return openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600)
  } catch (error) {
    throw unwritable(path, error)
  }
}

class Archive {
  readonly record: Recorder
  readonly #file: number
  #at = 0
  #entries = 0
  #isBroken = false

  constructor(invocation: Invocation, path: string) {
    const { output, version } = invocation
    this.#file = newFile(path)
    invocation.closeAtEnd(async () => closeSync(this.#file))
    this.#write(beginning(version), end)
    const redact: <Value>(value: Value) => Value = (value) => output.redactor.cleanAll(value)
    this.record = (exchange) => {
      if (this.#isBroken) return
      try {
        const text = printableJson(entryOf(exchange, redact))
        this.#write(`${this.#entries === 0 ? '\n' : ',\n'}${text}`, end)
        this.#entries += 1
      } catch (error) {
        this.#isBroken = true
        invocation.beside(
          `the archive ${path} ends early: ${error instanceof Error ? error.message : 'it cannot be written'}`,
        )
      }
    }
  }

  /** Writes a text in the place of the end, and the end behind it. */
  #write(text: string, behind: string): void {
    const length = Buffer.byteLength(text)
    const whole = length + Buffer.byteLength(behind)
    if (writeSync(this.#file, text + behind, this.#at) < whole) throw new Error('the disk is full')
    this.#at += length
  }
}

const archives = new WeakMap<Invocation, Archive>()

/** The recorder of this command; made with its file when the first desk is opened. Throws usage (2). */
export function archiveOf(invocation: Invocation, path: string): Recorder {
  const known = archives.get(invocation) ?? new Archive(invocation, path)
  archives.set(invocation, known)
  return known.record
}
