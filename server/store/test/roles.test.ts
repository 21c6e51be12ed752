import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openStore, type Store } from '../open.ts'
import { type DatabaseRole, databaseRoles, roleSettings, tableRights } from '../rights.ts'
import { provideRoles, roleProblem, roleUrls, RolesFault, type RoleUrls } from '../roles.ts'
import { type ScratchServer, startScratchServer } from './scratch.ts'

let server: ScratchServer
let store: Store
let urls: RoleUrls
before(async () => {
  server = await startScratchServer()
  store = await server.store()
  urls = await provideRoles(store, { mayForgetTape: true })
})
after(() => server[Symbol.asyncDispose]())

/** Runs statements as a role and rolls them back. */
async function as<T>(role: DatabaseRole, run: (client: pg.Client) => Promise<T>, url = urls[role]): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

const denied = { code: '42501' }
const grown = Object.keys(tableRights).filter((table) => tableRights[table]!.grows)

test('STORE-ROLES-001: every table is in the table of rights', async () => {
  const { rows } = await store.pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1",
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    Object.keys(tableRights).sort(),
  )
})

test('STORE-ROLES-001: each process has the rights that the table says, and no other', async () => {
  const actions = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
  for (const [table, rights] of Object.entries(tableRights)) {
    for (const role of databaseRoles) {
      const { rows } = await as(role, (client) =>
        client.query<{ may: boolean[] }>(
          'select array_agg(has_table_privilege($1, action) order by place) as may from unnest($2::text[]) with ordinality a (action, place)',
          [`public.${table}`, actions],
        ),
      )
      const has = actions.filter((_, i) => rows[0]!.may[i])
      // Without rights on single columns.
      const wanted = role === 'backup' ? 'select' : (rights[role] ?? '').replace(/\w+ \([^)]*\)/g, '')
      assert.deepEqual(
        has,
        wanted.split(', ').filter((word) => word !== ''),
        `${role} on ${table}`,
      )
    }
  }
})

test('STORE-ROLES-002: nobody but the owner can change, delete or empty append-only tables', async () => {
  assert.deepEqual(
    ['journal', 'ledger_entries', 'trades', 'audit_log', 'index_tape'].filter((table) => !grown.includes(table)),
    [],
  )
  for (const role of databaseRoles) {
    await as(role, async (client) => {
      for (const table of grown) {
        const column = `select attname as name from pg_attribute
          where attrelid = $1::regclass and attnum > 1 and attidentity = '' and not attisdropped order by attnum limit 1`
        const { name } = (await store.pool.query<{ name: string }>(column, [table])).rows[0]!
        for (const text of [
          `update ${table} set ${name} = ${name}`,
          `delete from ${table}`,
          `truncate ${table}`,
          `alter table ${table} disable trigger all`,
          `drop table ${table}`,
          `create rule gone as on insert to ${table} do instead nothing`,
        ]) {
          await assert.rejects(
            client.query(text),
            (cause: { code?: string }) => ['42501', '25006'].includes(cause.code!),
            `${role}: ${text}`,
          )
        }
      }
    })
  }
})

test('STORE-ROLES-010: the gateway’s user cannot change who did what: of an origin it notes the last use, of a deletion the end', async () => {
  await as('gateway', async (client) => {
    for (const column of ['account', 'session', 'key', 'ip', 'device', 'first_at'])
      await assert.rejects(client.query(`update activity_origins set ${column} = ${column}`), denied, column)
    await client.query('update activity_origins set last_at = last_at')
    for (const column of ['account', 'asked_at', 'due_at', 'gives_up', 'session', 'ip'])
      await assert.rejects(client.query(`update deletions set ${column} = ${column}`), denied, column)
    await client.query('update deletions set cancelled_at = cancelled_at, erased_at = erased_at')
  })
})

test('ADDRESS-NAME-002: the gateway’s user cannot change where withdrawals go, to whom, or when', async () => {
  await as('gateway', async (client) => {
    for (const column of ['id', 'account', 'network', 'address', 'owner', 'exchange', 'beneficiary', 'added_at', 'usable_at'])
      await assert.rejects(client.query(`update withdrawal_addresses set ${column} = ${column}`), denied, column)
    await client.query('update withdrawal_addresses set label = label, removed_at = removed_at, uses = uses, last_used_at = last_used_at')
  })
})

test('REVIEW-HELD-003: the gateway’s user changes nothing of a deposit but the state of a held one, as two members decided', async () => {
  await store.pool.query(`
    insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
      values ('00000000-0000-4000-8000-000000000139', '139000001', 139, 'a139@test.example', '', 0, 'en', 'INV139', 'retail', 0);
    insert into deposit_addresses values ('tron', 'T139', '00000000-0000-4000-8000-000000000139', 139, 139, decode(repeat('00', 64), 'hex'), 0);
    insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash, block_at, state, seen_at)
      values ('tron', 't139', 0, 'USDT', 'c', 's', 'T139', '00000000-0000-4000-8000-000000000139', 139, 1, 1, 'h', 0, 'held', 0)`)
  await as('gateway', async (client) => {
    for (const column of ['raw', 'amount', 'credit', 'address', 'user_no', 'why', 'released_at'])
      await assert.rejects(client.query(`update deposits set ${column} = ${column}`), denied, column)
    for (const state of ['final', 'confirming', 'refused', 'orphaned', 'held'])
      await assert.rejects(client.query('update deposits set state = $1', [state]), /two members|only a held deposit/, state)
  })
  await as('follower', (client) => client.query("update deposits set state = 'orphaned'"))
})

test('STORE-ROLES-003: a process cannot read tables of others: passwords, secrets, the journal, snapshots', async () => {
  const closed: Readonly<Partial<Record<DatabaseRole, readonly string[]>>> = {
    engine: ['accounts', 'sessions', 'api_keys', 'webhooks', 'orders', 'balances', 'inbox'],
    follower: ['accounts', 'sessions', 'api_keys', 'codes', 'reset_tokens', 'audit_log', 'inbox', 'listen_keys'],
    gateway: ['snapshots', 'snapshot_chunks', 'leader', 'migrations'],
  }
  for (const [role, tables] of Object.entries(closed) as [DatabaseRole, readonly string[]][]) {
    await as(role, async (client) => {
      for (const table of tables) await assert.rejects(client.query(`select * from ${table}`), denied, `${role} reads ${table}`)
    })
  }
  await as('gateway', async (client) => {
    await client.query('select max(seq) from journal')
    await assert.rejects(client.query('select payload from journal'), denied)
    await assert.rejects(client.query("insert into balances values (1, 'spot', '', 'BTC', 1, 0, 1)"), denied)
    await assert.rejects(client.query('update projection set seq = 0'), denied)
  })
  await as('follower', (client) => assert.rejects(client.query('update leader set epoch = 99'), denied))
})

test('STORE-ROLES-004: no process can create tables, users or functions, end the queries of others, or run programs', async () => {
  for (const role of databaseRoles) {
    await as(role, async (client) => {
      for (const text of [
        'create table mine (a int)',
        'create temp table mine (a int)',
        'create role mine superuser',
        'create schema mine',
        'create function mine() returns int language sql return 1',
        "copy (select 1) to program 'true'",
        "select pg_read_file('PG_VERSION')",
        `set role ${new URL(store.url).username}`,
        'alter system set fsync = off',
      ]) {
        await assert.rejects(client.query(text), (cause: { code?: string }) => ['42501', '25006'].includes(cause.code!), `${role}: ${text}`)
      }
      const { rows } = await store.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
      await assert.rejects(client.query('select pg_cancel_backend($1)', [rows[0]!.pid]), denied)
    })
  }
})

test('STORE-ROLES-005: every connection of a role starts with its limits, and the backup can change nothing', async () => {
  for (const role of databaseRoles) {
    await as(role, async (client) => {
      for (const [name, value] of Object.entries(roleSettings[role])) {
        const { rows } = await client.query<{ value: string }>('select current_setting($1) as value', [name])
        assert.equal(rows[0]!.value, value, `${role}: ${name}`)
      }
      await client.query("set statement_timeout = '20ms'")
      await assert.rejects(client.query('select pg_sleep(60)'), { code: '57014' })
    })
  }
  await as('backup', async (client) => {
    await client.query('begin isolation level repeatable read read only')
    for (const table of Object.keys(tableRights)) {
      await client.query(`lock table ${table} in access share mode`)
      await client.query(`select * from ${table} limit 1`)
    }
    const { rows } = await client.query("select oid::regclass::text as name from pg_class where relkind = 'S'")
    for (const { name } of rows) await client.query(`select last_value from ${name}`)
    await client.query('commit; set default_transaction_read_only = off')
    await assert.rejects(client.query('update leader set epoch = epoch'), denied)
  })
})

test('STORE-ROLES-006: old ticks are deleted only by the owner’s function, and only where that is allowed', async () => {
  await store.pool.query("insert into index_tape values (1, 1000, '', ''), (2, 9000000, '', '')")
  await store.pool.query("insert into tape_hours values (0, 1, 1, '')")
  for (const role of ['engine', 'gateway', 'backup'] as const) {
    await as(role, (client) => assert.rejects(client.query('select forget_tape(5000000)'), denied))
  }
  await as('follower', (client) => client.query('select forget_tape(5000000)'))
  assert.deepEqual((await store.pool.query('select tick from index_tape')).rows, [{ tick: 2 }])
  assert.equal((await store.pool.query('select from tape_hours')).rowCount, 0)
  await provideRoles(store, { mayForgetTape: false })
  await as('follower', (client) => assert.rejects(client.query('select forget_tape(99000000)'), denied))
})

test('STORE-ROLES-007: users and rights are corrected at each start, whatever was changed', async () => {
  const name = new URL(urls.gateway).username
  await store.pool.query(`grant all on all tables in schema public to ${name}; alter role ${name} password 'other'`)
  const again = await Promise.all([provideRoles(store, { mayForgetTape: true }), provideRoles(store, { mayForgetTape: true })])
  assert.deepEqual(again, [urls, urls])
  await as('gateway', (client) => assert.rejects(client.query('delete from journal'), denied))
})

test('STORE-ROLES-007: each role’s password is derived from the owner’s; an owner without one gives roles none', () => {
  const given = roleUrls('postgres://candor:secret@db.example:5433/one?sslmode=verify-full')
  const passwords = databaseRoles.map((role) => new URL(given[role]).password)
  assert.equal(new Set([...passwords, 'secret']).size, 5)
  assert.notEqual(roleUrls('postgres://candor:secret@db.example:5433/two').engine.split('@')[0], given.engine.split('@')[0])
  assert.equal(new URL(given.engine).username, 'one_engine')
  assert.match(given.engine, /@db\.example:5433\/one\?sslmode=verify-full$/)
  assert.equal(roleUrls('postgres://candor@localhost/one').gateway, 'postgres://one_gateway@localhost/one')
})

test('STORE-ROLES-008: users that the operator created get the rights; one that could change the journal is refused', async () => {
  const given = await server.store()
  const url = (name: string): string => Object.assign(new URL(given.url), { username: name, password: 'theirs' }).href
  for (const role of databaseRoles) await given.pool.query(`create role own_${role} login password 'theirs'`)
  const own = Object.fromEntries(databaseRoles.map((role) => [role, url(`own_${role}`)])) as RoleUrls
  assert.deepEqual(await provideRoles(given, { given: own, mayForgetTape: true }), own)
  await as('engine', (client) => client.query('select * from journal'), own.engine)
  await given.pool.query('grant pg_write_all_data to own_gateway')
  await assert.rejects(provideRoles(given, { given: own, mayForgetTape: true }), /own_gateway could change tables that must only grow/)
})

test('STORE-ROLES-008: an owner that may not create users is told which one is missing', async () => {
  const name = new URL((await server.store()).url).pathname.slice(1)
  const admin = await openStore({ dataFolder: server.folder, databaseUrl: server.url })
  await admin.pool.query(`create role plain_owner login password 'p'; alter database ${name} owner to plain_owner`)
  await admin[Symbol.asyncDispose]()
  const plain = new URL(server.url)
  Object.assign(plain, { username: 'plain_owner', password: 'p', pathname: name })
  await using owned = await openStore({ dataFolder: server.folder, databaseUrl: plain.href })
  await assert.rejects(provideRoles(owned, { mayForgetTape: true }), (cause: Error) => {
    assert.ok(cause instanceof RolesFault)
    assert.match(cause.message, new RegExp(`may not create users, and ${name}_engine is missing.*CANDOR_DATABASE_URL_ENGINE`))
    return true
  })
})

test('STORE-ROLES-009: a process that would connect as the owner, or without a time limit, is refused with the reason', async () => {
  assert.match((await roleProblem(store.pool, 'gateway'))!, /could change tables that must only grow: set CANDOR_DATABASE_URL_GATEWAY/)
  const problemOf = async (): Promise<string | undefined> => {
    await using gateway = await openStore({ dataFolder: server.folder, databaseUrl: urls.gateway })
    return await roleProblem(gateway.pool, 'gateway')
  }
  assert.equal(await problemOf(), undefined)
  const { username, pathname } = new URL(urls.gateway)
  await store.pool.query(`alter role ${username} in database ${pathname.slice(1)} reset statement_timeout`)
  assert.match((await problemOf())!, /no statement_timeout/)
})
