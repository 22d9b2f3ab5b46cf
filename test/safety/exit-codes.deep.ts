/** Every exit code of the built program, and in every spelling of the form of its result. */
import { cases, exitCodes, exitCodesOfProcesses, signalsInFlight, signalsInWait } from './exit-codes.ts'

exitCodes(cases.map(({ name }) => name))
exitCodesOfProcesses(cases)
signalsInFlight([
  ['SIGINT', 'in words'],
  ['SIGINT', '--json'],
  ['SIGTERM', 'in words'],
  ['SIGTERM', '--json'],
])
signalsInWait(['SIGINT', 'SIGTERM'])
