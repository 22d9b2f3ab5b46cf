/** Writes of orders and of the wallet meet faults of the sandbox: executed at most once, and never misreported. */
import { faults, orderFaults, writes } from './order-faults.ts'

// Shifted by one after each round, so that a write has faults at both places.
const writeAt = (cell: number) => writes.slice((cell + Math.floor(cell / writes.length)) % writes.length).slice(0, 1)

orderFaults(faults.flatMap(([at, kind], cell) => writeAt(cell).map((write) => [write, at, kind] as const)))
