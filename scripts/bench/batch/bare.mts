/** The bare client, as a process: `bare <address> <requests> <connections>`. Payouts by undici alone, kept nowhere. */
import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'

const [, , url = '', requests = '', connections = ''] = process.argv

const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer bench' }
const pool = new Pool(url, { connections: Number(connections), pipelining: 1 })
let left = Number(requests)

function body(): string {
  const row = { amount: 12.5, currency: 'GEL', description: 'Salary, November', toIban: 'GE29NB0000000101904917' }
  return JSON.stringify({ ...row, beneficiaryName: 'Nino Beridze', uniqueId: randomUUID() })
}

async function line(): Promise<void> {
  while (left > 0) {
    left -= 1
    const answer = await pool.request({ method: 'POST', path: '/api/distributor', headers, body: body() })
    const { transactionId } = JSON.parse(await answer.body.text()) as { transactionId?: number }
    if (answer.statusCode !== 200 || !transactionId) throw new Error(`HTTP ${answer.statusCode}`)
  }
}

await Promise.all(Array.from({ length: Number(connections) }, line))
await pool.close()
