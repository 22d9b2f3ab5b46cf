/** The statements that stores of this process execute, but for the beginnings and ends of transactions. */
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely'
import { onTestFinished } from 'vitest'

interface Executing {
  executeQuery(query: CompiledQuery, ...rest: readonly unknown[]): unknown
}

/** Collects the text of each, from here to the end of the test. */
export function watchStatements(): readonly string[] {
  const executor = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as Executing
  const { executeQuery } = executor
  const texts: string[] = []
  executor.executeQuery = function watched(this: Executing, query, ...rest) {
    texts.push(query.sql)
    return executeQuery.call(this, query, ...rest)
  }
  onTestFinished(() => {
    executor.executeQuery = executeQuery
  })
  return texts
}
