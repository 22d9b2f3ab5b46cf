/** An id that is typed at a question counts as one that is typed on the line: ^C afterwards denies nothing of it. */
import { expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { answers, type Step } from '../kit/answers.ts'
import { paydesk } from '../kit/program/paydesk.ts'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'

const uri = `https://pay.example/pay?qrType=REQUEST&receiverType=USER&receiverId=${foreignOrder}&amount=25.00&currency=GEL`

test('^C at the question behind the id of a wallet order that was finalized, but whose answer was lost', async () => {
  const at = await handDesk(({ name, request }) => {
    if (name !== 'wallet.create') return { plain: 'reset' }
    const { uniqueId } = request
    return { value: { uniqueId, status: 'REGISTERED', amount: new JsonNumber('25.00'), receiverName: 'Nino' } }
  })
  expect((await at.run('wallet', 'create', '--unique-id', handOrder, '--uri', uri, '--yes')).code).toBe(0)
  const finalize = ['wallet', 'finalize', '--amount', '25', '--final-status', 'SUCCESS', '--yes']
  const lost = await at.run(...finalize, '--unique-id', handOrder)
  expect(lost.code, lost.stderr).toBe(9)
  const stopped = (...steps: readonly Step[]) =>
    paydesk(['wallet', 'finalize', '-p', 'hand', '--json'], {
      ...{ home: at.home, terminal: true, dialogue: answers(...steps) },
    })
  const after = await stopped([/Which wallet order\?/, `${handOrder}\r`], [/How much/, '\x03'])
  expect(after.code).toBe(130)
  expect(after.stderr).toContain('"moneyMoved":"unknown"')
  expect(after.stderr).toContain(String(lost.error.journalId))
  // Nothing was named: nothing is in doubt.
  const before = await stopped([/Which wallet order\?/, '\x03'])
  expect(before.stderr).toContain('"moneyMoved":"no"')
})
