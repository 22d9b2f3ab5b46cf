/** Members in which errors speak, of this service and of what stands before it. By their kinds (`memberKind`). */

/** Members that hold an error, or the words of one. */
export const ofAnError: readonly string[] = [
  ...[
    'error',
    'errors',
    'errormessage',
    'errormessages',
    'errordescription',
    'errordetail',
    'errordetails',
    'errortext',
  ],
  ...['errorname', 'errorreason', 'errortype', 'erroruri', 'exception', 'exceptions', 'exceptionname', 'exceptiontype'],
  ...['exceptionmessage', 'fault', 'faults', 'faultcode', 'faultstring', 'faultmessage', 'failure', 'failures'],
]

/** Members that hold a number of an error, or the name of one. */
export const codesOfErrors = ['statusCode', 'code', 'errorCode'] as const

/** The member with the group of a code of this service. */
export const groupOfErrors = 'exceptiongroup'

/** Members that give the reason for which a thing failed: they belong to one that ended unpaid. */
export const reasonsOfFailing: readonly string[] = [
  ...['failreason', 'failurereason', 'failedreason', 'failmessage', 'failuremessage', 'failcode', 'failurecode'],
  ...['rejectreason', 'rejectedreason', 'rejectionreason', 'rejectcode', 'rejectionreasoncode'],
  ...['declinereason', 'declinedreason', 'declinecode', 'denialreason', 'refusalreason'],
]

/** Members that say whether it went well, and those that say whether it went wrong. */
export const saysItWentWell: readonly string[] = [
  ...['success', 'successful', 'succeeded', 'ok', 'issuccess', 'issuccessful', 'issucceeded', 'isok'],
]
export const saysItWentWrong: readonly string[] = [
  ...['failed', 'isfailed', 'rejected', 'isrejected', 'declined', 'isdeclined', 'iserror', 'haserror', 'haserrors'],
]

/** All else that errors have, and that successes may. */
const ofErrorsToo: readonly string[] = [
  ...['message', 'title', 'detail', 'details', 'status', 'statustext', 'type', 'instance', 'path', 'method'],
  ...['timestamp', 'time', 'reason', 'cause', 'description', 'methodname', 'help', 'applicationname'],
  ...['documentationurl', 'traceid', 'spanid', 'requestid', 'correlationid', 'retryafter', 'value'],
]

/** All members that plain errors have. */
export const ofPlainErrors: ReadonlySet<string> = new Set([
  ...ofAnError,
  ...codesOfErrors.map((name) => name.toLowerCase()),
  groupOfErrors,
  ...ofErrorsToo,
])
