/** The clients in three languages with the other form of answers: clients.test.ts has each of them with one. */
import { test } from 'vitest'
import { javaClient, javascriptClient, phpClient } from '../../clients/clients.ts'

// Each client starts dozens of processes that pay, and waits until orders and payouts end.
const slow = { timeout: 180_000 }

test.skipIf(javaClient.isMissing)('a client in Java goes through all areas, with answers as recorded', slow, () =>
  javaClient.check('recorded'),
)

test('a client in JavaScript goes through all areas, with answers as documented', slow, () =>
  javascriptClient.check('documented'),
)

test.skipIf(phpClient.isMissing)('a client in PHP goes through all areas, with answers as recorded', slow, () =>
  phpClient.check('recorded'),
)
