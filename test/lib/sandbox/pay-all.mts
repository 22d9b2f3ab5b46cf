// A process of its own: opens the sandbox of a directory and pays every uniqueId it is given, all at once.

import { realClock, realRandom } from '../../../src/lib/edge.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { openSandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { callers, toIban } from '../../kit/sandbox/callers.ts'

const [directory = '', ...ids] = process.argv.slice(2)
const sandbox = await openSandbox(directory, realClock, realRandom)
const { byIban } = await callers(sandbox)
const answers = await Promise.all(ids.map((uniqueId) => byIban.create(toIban({ uniqueId }))))
process.stdout.write(writeJson(answers.map(({ code }) => (code === null ? 'paid' : String(code)))))
await sandbox.close()
