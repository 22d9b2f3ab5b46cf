import { join } from 'node:path'
import { env } from 'node:process'
import { test } from 'vitest'
import { isMissingProgram } from '../../kit/program/missing.ts'
import { clients, expectWhole, runClient, shapes } from '../../kit/sandbox/client.ts'

const php = env.PHP ?? 'php'
const trial = ['-r', 'exit(PHP_VERSION_ID >= 80000 && extension_loaded("openssl") ? 0 : 1);']
const missing = isMissingProgram(php, trial, 'the client in PHP did not check the sandbox')

test.skipIf(missing).each(shapes)(
  'a client in PHP goes through all areas, with answers as %s',
  { timeout: 180_000 },
  async (shape) => {
    // A remark of PHP is no line of the client.
    const ran = await runClient(shape, php, '-d', 'display_errors=stderr', join(clients, 'client.php'))
    expectWhole(shape, ran)
  },
)
