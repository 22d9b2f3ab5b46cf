import { join } from 'node:path'
import { execPath } from 'node:process'
import { test } from 'vitest'
import { clients, expectWhole, runClient, shapes } from '../../kit/sandbox/client.ts'

test.each(shapes)(
  'a client in JavaScript that reads numbers as numbers goes through all areas, with answers as %s',
  { timeout: 180_000 },
  async (shape) => expectWhole(shape, await runClient(shape, execPath, join(clients, 'client.mjs'))),
)
