/** The callbacks that this machine has received, in a store of their own. */

import type { Members } from '../contract/core/members.ts'
import type { Clock, Random } from '../edge.ts'
import type { NamedKey } from '../envelope/envelope.ts'
import { Failure } from '../failure.ts'
import { hint, type Naming, paste } from '../hint.ts'
import * as rows from '../store/callbacks.ts'
import { type CallbackTables, callbackSchema } from '../store/callbacks.ts'
import { openStore } from '../store/engine/sqlite.ts'
import type { Store } from '../store/engine/store.ts'
import { type CallbackEntry, callbackEntry, fieldsIn, openedRow } from './entry.ts'
import { type OpenedBody, openBody } from './open.ts'
import { digestOf, isMarkedBy, type RawCallback } from './raw.ts'

/** A callback with the members that it holds, tokens masked. */
export type HeardCallback = CallbackEntry & { readonly fields: Members }

export interface Reception {
  readonly profile: string | null
  /** The target of forwarding; null for none. */
  readonly target: string | null
  /** Of the listener: what bears it has gone in a circle and is not forwarded again. */
  readonly mark: string
}

export class CallbackStore {
  readonly store: Store<CallbackTables>
  readonly #clock: Clock
  readonly #random: Random
  readonly #naming: Naming

  constructor(store: Store<CallbackTables>, clock: Clock, random: Random, naming: Naming) {
    this.store = store
    this.#clock = clock
    this.#random = random
    this.#naming = naming
  }

  static async open(path: string, clock: Clock, random: Random, naming: Naming): Promise<CallbackStore> {
    return new CallbackStore(await openStore<CallbackTables>(path, callbackSchema), clock, random, naming)
  }

  entryOf(row: rows.Listed): CallbackEntry {
    return callbackEntry(row, this.#naming)
  }

  close(): Promise<void> {
    return this.store.close()
  }

  /** Stores a callback as it came; durable when this resolves. Returns its id. */
  async receive(raw: RawCallback, { profile, target, mark }: Reception): Promise<string> {
    const row = {
      id: `cb-${this.#random.uuid().replaceAll('-', '').slice(0, 12)}`,
      received_at: new Date(raw.receivedAt).toISOString(),
      remote: raw.remote,
      profile,
      method: raw.method,
      target: raw.target,
      headers: JSON.stringify(raw.headers),
      body: raw.body,
      body_digest: digestOf(raw.body),
    }
    const forwardTo = isMarkedBy(mark, raw.headers) ? null : target
    await this.store.write((db) => rows.addReceived(db, row, forwardTo, this.#clock.now()))
    return row.id
  }

  /** The first that was not opened yet, with its bytes; null for none. */
  firstUnopened() {
    return this.store.ask((db) => rows.firstUnopened(db))
  }

  #opened({ seq }: rows.ReceivedCallback, body: OpenedBody, signature: string | null) {
    return openedRow(seq, new Date(this.#clock.now()).toISOString(), body, signature)
  }

  /** Records how a callback was opened; null where that was recorded before. */
  async noteOpened(
    row: rows.ReceivedCallback,
    body: OpenedBody,
    signature: string | null,
  ): Promise<CallbackEntry | null> {
    const opened = this.#opened(row, body, signature)
    return this.store.write(async (db) => {
      if (!(await rows.addOpened(db, opened, row.body_digest))) return null
      const [listed] = await rows.listCallbacks(db, { id: row.id })
      return listed ? this.entryOf(listed) : null
    })
  }

  async list(filter: rows.CallbackFilter): Promise<CallbackEntry[]> {
    return (await this.store.ask((db) => rows.listCallbacks(db, filter))).map((row) => this.entryOf(row))
  }

  /** What callbacks say, the newest first. */
  async heard(filter: rows.CallbackFilter): Promise<readonly HeardCallback[]> {
    const found = await this.store.ask((db) => rows.listCallbacks(db, filter))
    return found.map((row) => ({ ...this.entryOf(row), fields: fieldsIn(row) ?? {} }))
  }

  /** One callback with its bytes. Throws Failure('not-found'). */
  async find(id: string): Promise<{ readonly row: rows.ReceivedCallback; readonly listed: rows.Listed }> {
    const found = await this.store.read(async (db) => ({
      row: await rows.receivedById(db, id),
      listed: (await rows.listCallbacks(db, { id }))[0],
    }))
    if (found.row && found.listed) return { row: found.row, listed: found.listed }
    throw new Failure('not-found', `there is no callback ${id}`, {
      hints: [hint`\`${paste('callback list')}\` lists them.`],
    })
  }

  /** One that no key fitted is tried again with those there are now; what they open is kept. */
  async tryAgain(id: string, keys: readonly NamedKey[]): Promise<void> {
    const { row, listed } = await this.find(id)
    if ((listed.how !== 'unopened' && listed.how !== null) || keys.length === 0) return
    const body = await openBody(Buffer.from(row.body), keys)
    if (body.how === 'unopened') return
    const opened = this.#opened(row, body, listed.signature)
    await this.store.write(async (db) => {
      if (!(await rows.addOpened(db, opened, row.body_digest))) await rows.replaceOpened(db, opened, row.body_digest)
    })
  }

  async deliveries(seq: number) {
    return this.store.read(async (db) => ({
      deliveries: await rows.deliveriesOf(db, seq),
      attempts: await rows.deliveryAttempts(db, seq),
    }))
  }

  waiting() {
    return this.store.ask((db) => rows.waiting(db))
  }
}
