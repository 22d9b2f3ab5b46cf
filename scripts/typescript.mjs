/** Before a script that `npm test` runs: TypeScript is read by tsx, without the cache that it leaves in the temporary directory. */
process.env.TSX_DISABLE_CACHE = '1'
await import('tsx').catch((error) => {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write('the development packages are not installed: run `npm ci`, without --omit=dev, first\n')
  process.exit(1)
})
