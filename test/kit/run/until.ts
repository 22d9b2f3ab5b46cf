/** Waits until something is true that another process brings about. */
import { setTimeout as wait } from 'node:timers/promises'

export async function until(what: string, isTrue: () => Promise<boolean> | boolean, patience = 60_000): Promise<void> {
  const end = Date.now() + patience
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`it never came true: ${what}`)
    await wait(20)
  }
}
