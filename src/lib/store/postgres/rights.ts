/** Rights that the role of a store lacks in its database, and the GRANT that an administrator runs. Waiting mends none of them. */
import { CompiledQuery, type Kysely, type QueryExecutorProvider } from 'kysely'
import type { PoolConfig } from 'pg'
import { FailureBeforeSending } from '../../failure.ts'
import { hint } from '../../hint.ts'

/** True if the server has refused a statement for want of a right. To a role that may not use a schema, there is none. */
export function isDenied(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === '42501' || error.code === '3F000')
}

/** The schema in which the queue of a fleet has its own tables, beside that of the store. */
export function queueSchema(schema: string): string {
  return schema === 'public' ? 'paydesk_jobs' : `${schema}_jobs`
}

/** The role and its database. A schema that may not be used is not current, and stands in the search path. */
const askRole: CompiledQuery<{
  readonly role: string
  readonly database: string
  readonly makes_schemas: boolean
  readonly schema: string
}> = CompiledQuery.raw(
  `select current_user as role, current_database() as database,
    has_database_privilege(current_database(), 'create') as makes_schemas,
    coalesce(current_schema(), trim(both ' "' from split_part(regexp_replace(
      current_setting('search_path'), '^"\\$user", *', ''), ',', 1))) as schema`,
)

/** What the role may do in the schemas of these names that there are. */
const askSchemas = (
  names: readonly string[],
): CompiledQuery<{
  readonly schema: string
  readonly is_open: boolean
  readonly writes_tables: boolean
}> =>
  CompiledQuery.raw(
    `select nspname as schema, has_schema_privilege(oid, 'usage') and has_schema_privilege(oid, 'create') as is_open,
      not exists (select from pg_class where relnamespace = pg_namespace.oid and relkind in ('r', 'p') and not (
        has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert') and
        has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))) as writes_tables
      from pg_namespace where nspname = any($1::text[])`,
    [names],
  )

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The statements that give the role what it lacks; those about the store before those about the queue of its workers. */
async function missingGrants(db: QueryExecutorProvider): Promise<readonly string[]> {
  const [own] = (await db.getExecutor().executeQuery(askRole)).rows
  if (!own) return []
  const [role, database, queue] = [quoted(own.role), quoted(own.database), queueSchema(own.schema)]
  const { rows } = await db.getExecutor().executeQuery(askSchemas([own.schema, queue]))
  if (!rows.some(({ schema }) => schema === own.schema))
    return [`create schema ${quoted(own.schema)} authorization ${role}`]
  const grants = rows.flatMap(({ schema, is_open: isOpen, writes_tables: writesTables }) => [
    ...(isOpen ? [] : [`grant usage, create on schema ${quoted(schema)} to ${role}`]),
    ...(writesTables
      ? []
      : [`grant select, insert, update, delete on all tables in schema ${quoted(schema)} to ${role}`]),
  ])
  if (grants.length > 0) return grants
  if (!own.makes_schemas && !rows.some(({ schema }) => schema === queue))
    return [`grant create on database ${database} to ${role}`]
  return [`alter database ${database} owner to ${role}`]
}

function denied({ message }: Error, store: string, grants: readonly string[]): FailureBeforeSending {
  return new FailureBeforeSending('credentials', `the role for ${store} lacks a right in its database: ${message}`, {
    hints: grants.map((grant) => hint`An administrator of the database runs: ${grant};`),
  })
}

/** The failure, credentials (4), of a statement that was refused for want of a right. `store`: in words. */
export async function deniedFailure<Tables>(error: Error, store: string, db: Kysely<Tables>) {
  return denied(error, store, await missingGrants(db).catch(() => []))
}

/** The same of a role that may not connect. */
export function deniedConnection(
  error: Error,
  store: string,
  { user = '', database = '' }: Pick<PoolConfig, 'user' | 'database'>,
) {
  return denied(error, store, [`grant connect on database ${quoted(database)} to ${quoted(user)}`])
}
