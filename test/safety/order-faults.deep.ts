/** Every write of orders and of the wallet after every fault of the sandbox at every place. */
import { faults, orderFaults, writes } from './order-faults.ts'

orderFaults(writes.flatMap((write) => faults.map(([at, kind]) => [write, at, kind] as const)))
