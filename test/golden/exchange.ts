// The bytes go over a bare socket, because an HTTP client would quietly mend what the golden file says and what the peer answers.

import { connect } from 'node:net'
import { compareAnswer } from './compare.ts'
import { fillRequest, type Pair } from './golden.ts'
import type { Comparison, Values } from './placeholder.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export interface Exchanged extends Comparison {
  readonly name: string
  readonly sent: Buffer
  readonly received: Buffer
}

export async function exchange(pair: Pair, address: Address, values: Values): Promise<Exchanged> {
  const filled = fillRequest(pair.request, { host: `${address.host}:${address.port}`, ...values })
  const sent = closing(filled.bytes)
  const received = await sendRaw(address, sent)
  const compared = compareAnswer(pair.answer, received, filled.values)
  return {
    name: pair.name,
    sent,
    received,
    differences: compared.differences,
    captured: { ...filled.made, ...compared.captured },
  }
}

export async function exchangeAll(pairs: readonly Pair[], address: Address, values: Values): Promise<Exchanged[]> {
  const done: Exchanged[] = []
  let known = values
  for (const pair of pairs) {
    const one = await exchange(pair, address, known).catch((error: unknown) => failed(pair, error))
    done.push(one)
    known = { ...known, ...one.captured }
  }
  return done
}

export function sendRaw(address: Address, bytes: Buffer, milliseconds = 10_000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const socket = connect(address.port, address.host, () => socket.write(bytes))
    socket.setTimeout(milliseconds, () => socket.destroy(new Error(`no whole answer within ${milliseconds} ms`)))
    socket.on('data', (piece: Buffer) => pieces.push(piece))
    socket.on('end', () => resolve(Buffer.concat(pieces)))
    socket.on('error', reject)
  })
}

function closing(bytes: Buffer): Buffer {
  const at = bytes.indexOf('\r\n\r\n')
  return Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\nConnection: close'), bytes.subarray(at)])
}

function failed(pair: Pair, error: unknown): Exchanged {
  const words = error instanceof Error ? error.message : String(error)
  return {
    name: pair.name,
    sent: Buffer.alloc(0),
    received: Buffer.alloc(0),
    differences: [`exchange: ${words}`],
    captured: {},
  }
}
