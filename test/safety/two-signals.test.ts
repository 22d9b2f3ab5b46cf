/** Two signals, of a person and then of a machine, end the built program at once. Every pair: two-signals.deep.ts. */
import { jsonForm, mixedPair, twoSignals, twoSignalsAtAnyMoment, twoSignalsAtAQuestion } from './two-signals.ts'

twoSignals(mixedPair, jsonForm)
twoSignalsAtAnyMoment(4)
twoSignalsAtAQuestion('key', 'SIGTERM')
