/** Letters that make readers slow: what may be repeated, what may begin something, what may be nested. */
export const pieces: readonly string[] = [
  ...[' ', '\n', '\t', ' \n', '\u00a0', "'", 'é', '\u10d0', '\u{1F511}', '\u202e', '\u001b[1m', '\u0000', '\ud800'],
  ...String.raw`\n = % %3 %25 %3D \ \\" " \u00 0 1 9. 1e9 - -- + A GE a= a=& & &amp; ?a= / // :// @ x@ : ; , .`.split(
    ' ',
  ),
  ...'$ < > # | _ [ { {"a": [{"a": [[], {"a":1, [1, "a"," "" {} } ] -----END {"kty client_secret= "token":"'.split(' '),
  ...String.raw`"token":"\ //a: token token= token=" card pan=[ val= v1, <uniqueId> 2026-11-20 2026-11-20T10:00`.split(
    ' ',
  ),
  ...[
    ...['$'.concat('{'), '`', '. ', '-----BEGIN ', '-----BEGIN A-----'],
    ...['-----BEGIN RSA PRIVATE KEY-----', 'ssh-rsa ', 'Bearer ', 'v1, '],
  ],
  ...['bearer a', 'authorization: ', 'authorization: bearer ', 'cardToken: ', 'card: 1 ', 'value:a,"token x', 'Mon, '],
  ...['20.11.2026', '10:00:00 ', 'a,b\n', '- a\n', '&x\n', '*a '],
]

/** Texts behind them. */
export const endings: readonly string[] = ['', '!"}']

/** So many bytes of a piece, as near as whole pieces come. */
export function repeated(piece: string, bytes: number): string {
  return piece.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(piece))))
}
