/**
 * A service of payouts that does next to nothing, as a process: `service <milliseconds>`. It answers as the specification says,
 * so late, and tells its parent of its address.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const late = Number(process.argv[2] ?? 0)
const headers = { 'content-type': 'application/json' }
/** As long as those of services. */
const token = JSON.stringify({ value: { access_token: 'x1Y_'.repeat(200), expires_in: 86_400, token_type: 'Bearer' } })
const balance = '{"value":{"amount":99999999999.00,"currency":"GEL"}}'
let transactions = 0

function payout(body: string): string {
  transactions += 1
  const { uniqueId } = JSON.parse(body) as { uniqueId: string }
  return `{"transactionId":${transactions},"status":"INITIAL","statusDescription":"Created","uniqueId":"${uniqueId}","createdAt":"2026-11-20T10:00:00.123456789"}`
}

function answerTo(path: string, body: string): string {
  if (path === '/api/distributor') return payout(body)
  return path === '/api/auth' ? token : balance
}

function answer(outgoing: ServerResponse, body: string): void {
  outgoing.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) })
  outgoing.end(body)
}

const server = createServer((incoming, outgoing) => {
  let body = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (piece: string) => {
    body += piece
  })
  incoming.on('end', () => {
    const text = answerTo(incoming.url?.split('?')[0] ?? '', body)
    if (late === 0) answer(outgoing, text)
    else setTimeout(() => answer(outgoing, text), late)
  })
})

server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
