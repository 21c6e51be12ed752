import { randomBytes } from 'node:crypto'
import { liabilityText, type LiabilityTree } from '@candor/core/proof/liabilities.ts'
import type pg from 'pg'
import { type Holdings, type HoldingsAt, readHoldings } from '../../store/query/proof/holdings.ts'
import { ArrayBytes } from '../../store/projection/array-bytes.ts'
import { standBack } from '../../store/priority.ts'
import { keptStatements, lastStatement, type StoredStatement } from '../../store/query/proof/statements.ts'
import { FastTree } from './fast-tree.ts'
import { bucketsFor, type OwnedLeaves, ownerRows } from './owners.ts'
import { rowNodes } from './layout.ts'
import { Pace } from './pace.ts'
import { shuffle } from './split.ts'

/** Advisory lock: one process at a time makes statements. */
const lockKey = 0x6c696162
/** A statement is made in each period of this length. */
export const statementMs = 600_000
/** Rows of leaves and nodes that are written together: so few that the database, too, works in pieces of a fraction of a millisecond. */
const rowsPerWrite = 16

/** Makes statements of liabilities: see `docs/spec/proof.md`. */
export class LiabilityMaker {
  readonly #pool: pg.Pool
  readonly #clock: () => number

  constructor(pool: pg.Pool, clock: () => number = Date.now) {
    this.#pool = pool
    this.#clock = clock
  }

  /**
   * Whether there is no statement of this period yet. `ahead`: the last one is later than the clock by more than a period, because the clock
   * was wrong then; the next one is due a period of steady time after it.
   */
  async isDue(): Promise<boolean | 'ahead'> {
    const last = await lastStatement(this.#pool)
    const at = this.#clock()
    if (last !== undefined && last.at - at > statementMs) return 'ahead'
    return last === undefined || periodOf(last.at) < periodOf(at)
  }

  /**
   * Makes the statement of this period unless there is one. It is durable, with its leaves, before anybody can read it. Undefined when
   * another process makes it, or the tables are empty.
   *
   * throws  RangeError when the sum of an asset is too large for a tree
   */
  async turn(): Promise<StoredStatement | undefined> {
    const client = await this.#pool.connect()
    try {
      const { rows } = await client.query<{ has: boolean }>('select pg_try_advisory_lock($1) as has', [lockKey])
      return rows[0]?.has === true && (await this.isDue()) !== false ? await this.#make(client) : undefined
    } finally {
      // At once, and not when the server sees that the connection is gone.
      await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
      client.release(true)
    }
  }

  async #make(client: pg.PoolClient): Promise<StoredStatement | undefined> {
    await standBack(client, true)
    const last = await lastStatement(client)
    const n = (last?.n ?? 0) + 1
    await forget(client, n)
    // Times rise: after one that a wrong clock gave, by the least.
    const at = Math.max(this.#clock(), (last?.at ?? 0) + 1)
    await client.query('begin isolation level repeatable read read only')
    const reading = new Pace(0)
    const { seq, holdings } = await readHoldings(client, () => reading.breathe())
    await client.query('commit')
    if (seq === 0) return undefined
    if (last !== undefined && seq < last.seq) throw new Error(`the tables stand at ${seq}, and statement ${last.n} at ${last.seq}`)
    const seed = randomBytes(32)
    // Whatever a crash leaves belongs to no statement, and is forgotten at the next turn.
    await client.query('set synchronous_commit = off')
    const { trees, buckets } = await this.#plant(client, n, seed, holdings)
    await client.query('set synchronous_commit = on')
    const text = liabilityText({ n, at, seq, trees })
    await client.query('begin')
    await client.query('insert into liability_secrets (n, seed, buckets) values ($1, $2, $3)', [n, seed, buckets])
    await client.query('insert into liability_statements (n, at_ms, seq, body) values ($1, $2, $3, $4)', [n, at, seq, text])
    await client.query('commit')
    return { n, at, seq, text }
  }

  /** Writes all trees and where each customer's leaves are. */
  async #plant(
    client: pg.PoolClient,
    n: number,
    seed: Buffer,
    holdings: HoldingsAt['holdings'],
  ): Promise<{ readonly trees: readonly LiabilityTree[]; readonly buckets: number }> {
    const trees: LiabilityTree[] = []
    const owned: OwnedLeaves[] = []
    const pace = new Pace(holdings.reduce((sum, { uids }) => sum + uids.length, 0))
    for (const [tree, one] of holdings.entries()) {
      const { planted, leaves } = await plantTree(client, { n, seed, tree, pace }, one)
      trees.push(planted)
      owned.push(leaves)
    }
    const buckets = bucketsFor(Math.max(0, ...owned.map(({ uids }) => uids.length)))
    const rows = new Rows(client, insertOwners, n, 1)
    const breathe = (): void => pace.breathe()
    for (const { bucket, body } of ownerRows(owned, buckets, breathe)) {
      await rows.add([bucket], body)
      pace.breathe()
    }
    await rows.end()
    return { trees, buckets }
  }
}

type Insert = { readonly name: string; readonly text: string }

const insertNodes: Insert = {
  name: 'nodes',
  text: `insert into liability_nodes (n, tree, level, place, body)
    select $1, * from unnest($2::integer[], $3::integer[], $4::integer[], $5::bytea[])`,
}
const insertOwners: Insert = {
  name: 'owners',
  text: 'insert into liability_owners (n, bucket, body) select $1, * from unnest($2::integer[], $3::bytea[])',
}

async function plantTree(
  client: pg.PoolClient,
  { n, seed, tree, pace }: { readonly n: number; readonly seed: Buffer; readonly tree: number; readonly pace: Pace },
  { asset, kind, scale, uids, units }: Holdings,
): Promise<{ readonly planted: LiabilityTree; readonly leaves: OwnedLeaves }> {
  const { size, parts, places, rows } = shuffle({ uids, units }, () => pace.breathe())
  const growing = new FastTree({ tree, asset, kind }, seed, size)
  const kept = new Rows(client, insertNodes, n, 3)
  const balancesInRow = uids.length / Math.max(1, size / rowNodes)
  for (const row of rows()) {
    growing.add(row)
    for (const { level, place, body } of growing.take()) await kept.add([tree, level, place], body)
    pace.rest(balancesInRow)
  }
  await kept.end()
  return { planted: { asset, kind, scale, size, ...growing.root() }, leaves: { tree, uids, parts, places } }
}

/** Rows of a table that are written many at a time: whole numbers, and bytes last. */
class Rows {
  readonly #client: pg.PoolClient
  readonly #insert: Insert
  readonly #n: number
  readonly #numbers: readonly ArrayBytes[]
  readonly #bodies = new ArrayBytes('bytea', rowsPerWrite)
  #count = 0

  constructor(client: pg.PoolClient, insert: Insert, n: number, numbers: number) {
    this.#client = client
    this.#insert = insert
    this.#n = n
    this.#numbers = Array.from({ length: numbers }, () => new ArrayBytes('integer', rowsPerWrite))
  }

  async add(numbers: readonly number[], body: Buffer): Promise<void> {
    for (const [column, value] of numbers.entries()) this.#numbers[column]!.add(value)
    this.#bodies.addBytes(body)
    this.#count += 1
    if (this.#count === rowsPerWrite) await this.end()
  }

  async end(): Promise<void> {
    if (this.#count === 0) return
    this.#count = 0
    const values = [this.#n, ...[...this.#numbers, this.#bodies].map((column) => column.take()[0])]
    await this.#client.query({ ...this.#insert, values })
  }
}

/** Forgets the leaves of statements that are too old, and what was left of one that was not completed. `next`: the next number. */
async function forget(client: pg.PoolClient, next: number): Promise<void> {
  for (const table of ['liability_nodes', 'liability_owners', 'liability_secrets'])
    await client.query(`delete from ${table} where n <= $1 or n >= $2`, [next - keptStatements, next])
}

const periodOf = (at: number): number => Math.floor(at / statementMs)
