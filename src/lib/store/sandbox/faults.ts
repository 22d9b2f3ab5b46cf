/** The sandbox's queries of faults that wait, and which of them strikes a request. */
import type { FaultRow, SandboxReader, SandboxWriter } from './schema.ts'

export type FaultOrderRow = Omit<FaultRow, 'id'>
export type KeptFault = FaultOrderRow & { readonly id: number }

export async function addFault(db: SandboxWriter, fault: FaultOrderRow): Promise<KeptFault> {
  const { id } = await db.insertInto('faults').values(fault).returning('id').executeTakeFirstOrThrow()
  return { ...fault, id }
}

export async function listFaults(db: SandboxReader): Promise<KeptFault[]> {
  return await db.selectFrom('faults').selectAll().orderBy('id').execute()
}

/** Takes one fault away, or all of them; gives back how many there were. */
export async function clearFaults(db: SandboxWriter, id: number | null): Promise<number> {
  const all = db.deleteFrom('faults')
  const done = await (id === null ? all : all.where('id', '=', id)).executeTakeFirst()
  return Number(done.numDeletedRows)
}

type Count = Partial<Pick<FaultRow, 'nth' | 'times' | 'draws' | 'window_start' | 'window_count'>>

async function setCount(db: SandboxWriter, id: number, count: Count): Promise<void> {
  await db.updateTable('faults').set(count).where('id', '=', id).execute()
}

async function strike(db: SandboxWriter, { id, times, per_mille, above }: KeptFault): Promise<void> {
  if (per_mille !== null || above !== null) return
  if (times === 1) await clearFaults(db, id)
  else await setCount(db, id, { times: times - 1 })
}

/** True if the request is one too many for the window; else it has counted. `now`: milliseconds since 1970. */
async function isAbove(db: SandboxWriter, fault: KeptFault, now: number): Promise<boolean> {
  const { above, above_window, window_start, window_count } = fault
  const isOver = now >= window_start + (above_window ?? 0)
  const passed = isOver ? 0 : window_count
  if (passed >= (above ?? 0)) return true
  await setCount(db, fault.id, { window_start: isOver ? now : window_start, window_count: passed + 1 })
  return false
}

/** True if it is a fault's turn to strike; it counts the request, or draws for it. */
async function isTurn(
  db: SandboxWriter,
  fault: KeptFault,
  isDrawn: (fault: KeptFault) => boolean,
  now: number,
): Promise<boolean> {
  if (fault.above !== null) return isAbove(db, fault, now)
  if (fault.per_mille !== null) {
    await setCount(db, fault.id, { draws: fault.draws + 1 })
    return isDrawn(fault)
  }
  if (fault.nth > 1) await setCount(db, fault.id, { nth: fault.nth - 1 })
  return fault.nth === 1
}

/**
 * The fault that strikes this request, if one does: the oldest whose turn has come, whose draw says so, or whose rate is
 * reached. Every other one that counts requests has counted this one, and one that strikes by chance has drawn for it. `now`:
 * milliseconds since 1970 on the sandbox's clock.
 */
export async function takeFault(
  db: SandboxWriter,
  isMeant: (fault: KeptFault) => boolean,
  isDrawn: (fault: KeptFault) => boolean,
  now: number,
): Promise<KeptFault | null> {
  let struck: KeptFault | null = null
  for (const fault of (await listFaults(db)).filter(isMeant)) {
    if ((await isTurn(db, fault, isDrawn, now)) && !struck) struck = fault
  }
  if (struck) await strike(db, struck)
  return struck
}
