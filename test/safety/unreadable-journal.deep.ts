/** The journal cannot be read, or was not read yet: every command after every hindrance, stopped at many moments. */
import { signalsAtTheStart, unreadableJournal } from './unreadable-journal.ts'

unreadableJournal(10)
signalsAtTheStart(Array.from({ length: 24 }, (_, step) => 10 * step))
