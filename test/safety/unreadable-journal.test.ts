/** The journal cannot be read, or was not read yet: an earlier payout is not denied. All of it: unreadable-journal.deep.ts. */
import { journalLostInFlight, signalsAtTheStart, unreadableJournal } from './unreadable-journal.ts'

unreadableJournal(3)
signalsAtTheStart([15, 30, 60, 90, 130], 5)
journalLostInFlight()
