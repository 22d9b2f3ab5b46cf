/** Every pair of signals, with --json and without, at many moments. */
import { everyForm, pairs, twoSignals, twoSignalsAtAnyMoment, twoSignalsAtAQuestion } from './two-signals.ts'

for (const pair of pairs) twoSignals(pair, everyForm)
twoSignalsAtAnyMoment(20)
twoSignalsAtAQuestion('key', 'SIGINT', 'SIGTERM')
