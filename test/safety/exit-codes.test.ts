/** Every exit code, in words and as JSON; a few of them of the built program. All of those: exit-codes.deep.ts. */
import {
  cases,
  exitCodes,
  exitCodesInThisProcess,
  exitCodesOfProcesses,
  signalsInFlight,
  signalsInWait,
} from './exit-codes.ts'

exitCodes(['done', 'unknown'])
exitCodesInThisProcess()
// The ends in which the program itself has a part: a result, a defect, and what may have been executed.
exitCodesOfProcesses(cases.filter(({ name }) => ['done', 'bug', 'unknown'].includes(name)))
signalsInFlight([
  ['SIGINT', 'in words'],
  ['SIGTERM', '--json'],
])
signalsInWait(['SIGINT'])
