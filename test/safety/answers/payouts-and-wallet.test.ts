/** The fault table of payouts and the wallet. */
import { testTable } from './table.ts'

testTable(['payout create', 'wallet create', 'wallet finalize', 'wallet cancel'])
