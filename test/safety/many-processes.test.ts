/** Processes of the built program on one journal at once. Fifty of them: many-processes.deep.ts. */
import { manyProcesses } from './many-processes.ts'

manyProcesses(5)
