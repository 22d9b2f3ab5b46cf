/** Before a script that `npm test` runs: TypeScript is read by tsx, without the cache that it leaves in the temporary directory. */
process.env.TSX_DISABLE_CACHE = '1'
await import('tsx')
