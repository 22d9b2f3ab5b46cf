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

/** A stored callback that was opened, and the row that says how. */
export interface OpenedCallback {
  readonly id: string
  readonly digest: string
  readonly made: Parameters<typeof rows.addOpened>[1]
}

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

  /** Stores callbacks as they came; durable when this resolves. Gives back their ids. */
  async receive(batch: readonly RawCallback[], { profile, target, mark }: Reception): Promise<readonly string[]> {
    const given = batch.map((raw) => ({
      id: `cb-${this.#random.uuid().replaceAll('-', '').slice(0, 12)}`,
      received_at: new Date(raw.receivedAt).toISOString(),
      remote: raw.remote,
      profile,
      method: raw.method,
      target: raw.target,
      headers: JSON.stringify(raw.headers),
      body: raw.body,
      body_digest: digestOf(raw.body),
      forwardTo: isMarkedBy(mark, raw.headers) ? null : target,
    }))
    await this.store.write((db) => rows.addReceived(db, given, this.#clock.now()))
    return given.map(({ id }) => id)
  }

  /** The numbers of those that were not opened, with the bytes of their bodies. */
  unopened(limit: number) {
    return this.store.ask((db) => rows.unopenedCallbacks(db, limit))
  }

  received(seq: number) {
    return this.store.ask((db) => rows.receivedAt(db, seq))
  }

  /** Records how callbacks were opened, in one commit. Returns those that had not been opened before. */
  async noteOpened(opened: readonly OpenedCallback[]): Promise<CallbackEntry[]> {
    return this.store.write(async (db) => {
      const entries: CallbackEntry[] = []
      for (const { id, digest, made } of opened) {
        if (!(await rows.addOpened(db, made, digest))) continue
        const [listed] = await rows.listCallbacks(db, { id })
        if (listed) entries.push(this.entryOf(listed))
      }
      return entries
    })
  }

  async opened(
    { seq, id, body_digest: digest }: rows.ReceivedCallback,
    body: OpenedBody,
    signature: string | null,
  ): Promise<OpenedCallback> {
    return { id, digest, made: await openedRow(seq, new Date(this.#clock.now()).toISOString(), body, signature) }
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
    const { made, digest } = await this.opened(row, body, listed.signature)
    await this.store.write(async (db) => {
      if (!(await rows.addOpened(db, made, digest))) await rows.replaceOpened(db, made, digest)
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
