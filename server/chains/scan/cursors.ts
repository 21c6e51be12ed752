import type pg from 'pg'
import type { Block } from '../ports.ts'

/** Numbers of blocks: the last that was read, the last of these that is final, the last that was audited. */
export type Cursor = { readonly block: number; readonly final: number; readonly audited: number }

/** How far a network was read, and the blocks whose hashes are still compared. */
export class Cursors {
  readonly #pool: pg.Pool
  readonly #network: string

  constructor(pool: pg.Pool, network: string) {
    this.#pool = pool
    this.#network = network
  }

  async get(): Promise<Cursor | undefined> {
    const { rows } = await this.#pool.query<Cursor>('select block, final, audited from chain_cursors where network = $1', [this.#network])
    return rows[0]
  }

  /** The cursor with the hash of its block; nobody else moves it until the end of the transaction. */
  async lock(client: pg.PoolClient): Promise<Cursor & { readonly hash: string }> {
    const { rows: cursors } = await client.query<Cursor>('select block, final, audited from chain_cursors where network = $1 for update', [
      this.#network,
    ])
    const [cursor] = cursors
    if (cursor === undefined) throw new Error(`${this.#network} has no cursor`)
    const { rows } = await client.query<{ hash: string }>('select hash from chain_blocks where network = $1 and number = $2', [
      this.#network,
      cursor.block,
    ])
    return { ...cursor, hash: rows[0]!.hash }
  }

  /** The last final block, then all above it. */
  async blocks(): Promise<readonly Block[]> {
    const { rows } = await this.#pool.query<Block>('select number, hash, parent, at from chain_blocks where network = $1 order by number', [
      this.#network,
    ])
    return rows
  }

  async last(): Promise<Block> {
    const { rows } = await this.#pool.query<Block>(
      'select number, hash, parent, at from chain_blocks where network = $1 order by number desc limit 1',
      [this.#network],
    )
    return rows[0]!
  }

  /** Starts behind a final block, unless there is a start. */
  async begin({ number, hash, parent, at }: Block): Promise<void> {
    await this.#pool.query(
      `with cursor as (
         insert into chain_cursors (network, block, final, audited) values ($1, $2, $2, $2) on conflict do nothing returning network
       )
       insert into chain_blocks (network, number, hash, parent, at) select network, $2, $3, $4, $5 from cursor`,
      [this.#network, number, hash, parent, at],
    )
  }

  /** Moves to a block above. */
  async add(client: pg.PoolClient, { number, hash, parent, at }: Block): Promise<void> {
    await client.query('update chain_cursors set block = $2 where network = $1', [this.#network, number])
    await client.query('insert into chain_blocks (network, number, hash, parent, at) values ($1, $2, $3, $4, $5)', [
      this.#network,
      ...[number, hash, parent, at],
    ])
  }

  /** Moves to below a block that vanished. */
  async remove(client: pg.PoolClient, { number }: Block): Promise<void> {
    await client.query('delete from chain_blocks where network = $1 and number = $2', [this.#network, number])
    await client.query('update chain_cursors set block = $2 where network = $1', [this.#network, number - 1])
  }

  /** Blocks up to `final` of those that were read can't vanish any more. Forgets hashes below the last of them. */
  async settle(final: number): Promise<void> {
    await this.#pool.query(
      `with cursor as (
         update chain_cursors set final = greatest(final, least($2, block)) where network = $1 returning final
       )
       delete from chain_blocks where network = $1
         and number < (select max(number) from chain_blocks where network = $1 and number <= (select final from cursor))`,
      [this.#network, final],
    )
  }

  async audited(client: pg.PoolClient, number: number): Promise<void> {
    await client.query('update chain_cursors set audited = $2 where network = $1', [this.#network, number])
  }
}
