/** A command that stays until a signal ends it, such as a server, in this process. */
import { onTestFinished } from 'vitest'
import { until } from '../run/until.ts'
import { type Ended, paydesk, type Surroundings } from './paydesk.ts'

export interface Staying {
  /** Its first line, as JSON. */
  readonly ready: unknown
  /** Ends it by SIGTERM. */
  readonly end: () => Promise<Ended>
}

/** Gives back the command once it has printed a line. It ends with the test at the latest. */
export async function startStaying(argv: readonly string[], around: Surroundings): Promise<Staying> {
  let [stdout, isOver] = ['', false]
  let send: (signal: 'SIGTERM') => void = () => undefined
  const running = paydesk(argv, {
    ...around,
    signals: (to) => {
      send = to
    },
    printed: (text) => {
      stdout = text
    },
  }).finally(() => {
    isOver = true
  })
  const end = async () => {
    send('SIGTERM')
    return await running
  }
  onTestFinished(async () => void (await end()))
  await until(`${argv.join(' ')} is ready`, () => stdout.includes('\n') || isOver)
  if (!stdout.includes('\n')) throw new Error(`it ended: ${(await running).stderr}`)
  return { ready: JSON.parse(stdout), end }
}
