/** Ports for tests that need one before a server listens on it, or need one on which none does. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const [lowest, end] = [10_000, 32_000]

/** A port of 127.0.0.1 on which nothing listens, and on which no other test will. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, end)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
