/** The sandbox's queries of faults that wait, and which of them strikes a request. */
import type { FaultRow, SandboxReader, SandboxWriter } from './schema/schema.ts'

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

type Count = Partial<Pick<FaultRow, 'nth' | 'times' | 'draws'>>

async function setCount(db: SandboxWriter, id: number, count: Count): Promise<void> {
  await db.updateTable('faults').set(count).where('id', '=', id).execute()
}

async function strike(db: SandboxWriter, { id, times, per_mille }: KeptFault): Promise<void> {
  if (per_mille !== null) return
  if (times === 1) await clearFaults(db, id)
  else await setCount(db, id, { times: times - 1 })
}

/**
 * The fault that strikes this request, if one does: the oldest whose turn has come, or whose draw says so. Every other one
 * that still counts requests has counted this one, and one that strikes by chance has drawn for it.
 */
export async function takeFault(
  db: SandboxWriter,
  isMeant: (fault: KeptFault) => boolean,
  isDrawn: (fault: KeptFault) => boolean,
): Promise<KeptFault | null> {
  let struck: KeptFault | null = null
  for (const fault of (await listFaults(db)).filter(isMeant)) {
    const isTurn = fault.per_mille === null ? fault.nth === 1 : isDrawn(fault)
    if (fault.per_mille !== null) await setCount(db, fault.id, { draws: fault.draws + 1 })
    else if (fault.nth > 1) await setCount(db, fault.id, { nth: fault.nth - 1 })
    if (isTurn && !struck) struck = fault
  }
  if (struck) await strike(db, struck)
  return struck
}
