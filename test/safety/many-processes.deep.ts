/** Fifty processes of the built program on one journal at once. */
import { manyProcesses } from './many-processes.ts'

manyProcesses(50)
