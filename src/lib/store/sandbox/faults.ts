/** Which of the faults that wait strikes a request. */
import { changeRows, listRows, removeRows } from './rows.ts'
import type { Row, SandboxWriter } from './schema.ts'

type FaultRow = Row<'faults'>

async function setCount(db: SandboxWriter, { id }: FaultRow, count: Partial<FaultRow>): Promise<void> {
  await changeRows(db, 'faults', { id }, count)
}

async function strike(db: SandboxWriter, fault: FaultRow): Promise<void> {
  const { id, times, per_mille, above } = fault
  if (per_mille !== null || above !== null) return
  if (times === 1) await removeRows(db, 'faults', { id })
  else await setCount(db, fault, { times: times - 1 })
}

/** True if the request is one too many for the window; else it has counted. `now`: milliseconds since 1970. */
async function isAbove(db: SandboxWriter, fault: FaultRow, now: number): Promise<boolean> {
  const { above, above_window, window_start, window_count } = fault
  const isOver = now >= window_start + (above_window ?? 0)
  const passed = isOver ? 0 : window_count
  if (passed >= (above ?? 0)) return true
  await setCount(db, fault, { window_start: isOver ? now : window_start, window_count: passed + 1 })
  return false
}

/** True if it is a fault's turn to strike; it counts the request, or draws for it. */
async function isTurn(
  db: SandboxWriter,
  fault: FaultRow,
  isDrawn: (fault: FaultRow) => boolean,
  now: number,
): Promise<boolean> {
  if (fault.above !== null) return isAbove(db, fault, now)
  if (fault.per_mille !== null) {
    await setCount(db, fault, { draws: fault.draws + 1 })
    return isDrawn(fault)
  }
  if (fault.nth > 1) await setCount(db, fault, { nth: fault.nth - 1 })
  return fault.nth === 1
}

/**
 * The fault that strikes this request, if one does: the oldest whose turn has come, whose draw says so, or whose rate is
 * reached. Every other one that counts requests has counted this one, and one that strikes by chance has drawn for it. `now`:
 * milliseconds since 1970 on the sandbox's clock.
 */
export async function takeFault(
  db: SandboxWriter,
  isMeant: (fault: FaultRow) => boolean,
  isDrawn: (fault: FaultRow) => boolean,
  now: number,
): Promise<FaultRow | null> {
  let struck: FaultRow | null = null
  for (const fault of (await listRows(db, 'faults')).filter(isMeant)) {
    if ((await isTurn(db, fault, isDrawn, now)) && !struck) struck = fault
  }
  if (struck) await strike(db, struck)
  return struck
}
