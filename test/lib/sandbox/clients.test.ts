/** Clients in three languages against the sandbox in a process of its own: each of the two forms of answers at least once. */
import { test } from 'vitest'
import { javaClient, javascriptClient, phpClient } from '../../kit/sandbox/clients.ts'

// Each client starts dozens of processes that pay, and waits until orders and payouts end.
const slow = { timeout: 180_000 }

test.skipIf(javaClient.isMissing)('a client in Java goes through all areas, with answers as documented', slow, () =>
  javaClient.check('documented'),
)

test('a client in JavaScript goes through all areas, with answers as recorded', slow, () =>
  javascriptClient.check('recorded'),
)

test.skipIf(phpClient.isMissing)('a client in PHP goes through all areas, with answers as documented', slow, () =>
  phpClient.check('documented'),
)
