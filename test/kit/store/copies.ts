/** A copy of a team's store that is kept beside it, and put back inside its own server, as an administrator does it. */
import type { TestServer } from './postgres.ts'

export interface Copies {
  keepCopy(): Promise<void>
  putBack(): Promise<void>
}

/** Of the store at an address of the server. `but`: tables that stay as they are. */
export function copiesOf(server: TestServer, address: string, but: readonly string[] = []): Copies {
  const schema = /search_path%3D(\w+)/.exec(address)?.[1] ?? ''
  const names = but.map((name) => `'${name}'`).join(', ')
  const each = (statements: string) =>
    server.run(
      address,
      `do $$ declare name text; begin
         for name in select tablename from pg_tables where schemaname = '${schema}'
           ${names === '' ? '' : `and tablename not in (${names})`} loop ${statements} end loop; end $$`,
    )
  return {
    async keepCopy() {
      await server.run(address, `drop schema if exists ${schema}_copy cascade; create schema ${schema}_copy`)
      await each(`execute format('create table ${schema}_copy.%1$I as select * from ${schema}.%1$I', name);`)
    },
    async putBack() {
      await each(
        `execute format('alter table ${schema}.%1$I disable trigger all; delete from ${schema}.%1$I;
          insert into ${schema}.%1$I overriding system value select * from ${schema}_copy.%1$I;
          alter table ${schema}.%1$I enable trigger all', name);`,
      )
    },
  }
}
