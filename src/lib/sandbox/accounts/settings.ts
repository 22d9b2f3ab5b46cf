/**
 * Settings of a world: what is accepted in it, and what the service is called. They stay until they are changed, and a new
 * world begins with those of the old one.
 */
import { type ProviderField, providersInUse } from '../../contract/order/request.ts'
import { isRecord, readJson, writeJson } from '../../json.ts'
import type { SandboxWriter } from '../../store/sandbox/schema.ts'
import { changeWorld, readWorldState, type SettingsRow } from '../../store/sandbox/world.ts'

export type ProviderLists = Readonly<Record<ProviderField, readonly string[]>>

export interface WorldSettings {
  /** True where requests beyond the specification, otherwise accepted with a remark, are refused. */
  readonly strict: boolean
  readonly providers: ProviderLists
  /** The service's name in the status of an order that it refunded by itself: REFUNDED_BY_<name>. */
  readonly refundedBy: string
}

export interface ChangedSettings {
  readonly strict?: boolean | undefined
  /** Only the lists that change. */
  readonly providers?: Partial<ProviderLists> | undefined
  readonly refundedBy?: string | undefined
}

/** The store holds the lists that differ from those in use. */
function readProviders(text: string): Partial<ProviderLists> {
  const kept = readJson(text)
  return isRecord(kept) ? (kept as Partial<ProviderLists>) : {}
}

export function worldSettings({ strict, providers, refunded_by: refundedBy }: SettingsRow): WorldSettings {
  return { strict: strict === 1, providers: { ...providersInUse, ...readProviders(providers) }, refundedBy }
}

export async function setSettings(
  db: SandboxWriter,
  { strict, providers, refundedBy }: ChangedSettings,
): Promise<void> {
  const before = readProviders((await readWorldState(db)).providers)
  await changeWorld(db, {
    ...(strict === undefined ? {} : { strict: strict ? 1 : 0 }),
    ...(providers === undefined ? {} : { providers: writeJson({ ...before, ...providers }) }),
    ...(refundedBy === undefined ? {} : { refunded_by: refundedBy }),
  })
}
