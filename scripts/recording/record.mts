/** Plays the payout whose answer is lost at a real terminal (tmux), with the built program and its sandbox. */
import { Terminal } from '../../test/screens/terminal.ts'

/** Columns of the terminal. */
export const width = 100

/** What a person types. The fault loses every answer; the payout is executed all the same. */
const lines = [
  'paydesk sandbox fault add --op payout.create --at after --kind reset --times 99',
  'paydesk payout create --key bonus-17 --amount 20 --currency GEL --to-iban GE29NB0000000101904917 --beneficiary-name "Nino Beridze" --description Bonus --yes --timeout 1s',
  'paydesk sandbox fault clear',
  'paydesk resume',
  'paydesk sandbox ledger',
]

export interface Recorded {
  /** A line of the screen with its colours, as escape sequences. */
  readonly line: string
  /** Milliseconds from the start to the moment at which it was there. */
  readonly at: number
}

export async function record(): Promise<readonly Recorded[]> {
  const terminal = new Terminal({ width, hasColours: true })
  try {
    await terminal.untilPrompt(0)
    const start = Date.now()
    const recorded: Recorded[] = []
    /** The screen as it is now: lines that are new get this moment, and others may have grown. */
    const take = () => {
      const at = Date.now() - start
      const screen = terminal.lines(true)
      recorded.splice(0, recorded.length, ...screen.map((line, place) => ({ line, at: recorded[place]?.at ?? at })))
    }
    for (const line of lines) {
      // The prompt stands there already, and becomes the line that is typed.
      recorded.pop()
      const from = terminal.lines().length - 1
      terminal.type(line)
      terminal.press('Enter')
      await terminal.until((shown) => shown.length > from + 1, line)
      take()
      await terminal.untilPrompt(from + 1)
      take()
    }
    recorded.pop()
    return recorded
  } finally {
    terminal.close()
  }
}
