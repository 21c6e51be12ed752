import type { MarketId } from '@candor/core/protocol/ids.ts'
import { pointsOf, type TapePoint } from '@candor/core/proof/second.ts'
import { tapeGenesis } from '@candor/core/proof/tape.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import type { WireTape } from '@candor/core/protocol/wire/option.ts'
import type pg from 'pg'
import { pricesIn, type TapeRow, tickText } from './tape-text.ts'

/** Ticks from a number on, or from time `at` up to, not including, `until`; at most `limit`. With neither: the newest ones. */
export type TapePiece = {
  readonly from?: number | undefined
  readonly at?: number | undefined
  readonly until?: number | undefined
  readonly limit: number
}

/** A piece of the tape, oldest tick first, and the hash before it. `text`: the JSON of the tick's `WireTapeTick`. */
export type TapeText = Pick<WireTape, 'before' | 'head'> & { readonly ticks: readonly { readonly tick: number; readonly text: string }[] }

export async function tapePiece(pool: pg.Pool, piece: TapePiece): Promise<TapeText> {
  // The first tick's hash is computed from the hash of the one before it.
  const { first, rows, head } = await tapeRows(pool, piece, 1)
  const before = rows[0]?.tick === 1 && first <= 1 ? undefined : rows.shift()
  return {
    before: before === undefined ? toHex(tapeGenesis) : toHex(before.hash),
    ticks: rows.slice(0, piece.limit).map((row) => ({ tick: row.tick, text: tickText(row) })),
    head,
  }
}

/** Of so many ticks in a row, one names all markets. */
const allNamedEvery = 20

/** The ticks of a piece from the point of view of one market: its price at each of them, also where the tick doesn't name it. */
export async function tapeLine(pool: pg.Pool, market: MarketId, piece: TapePiece): Promise<readonly TapePoint[]> {
  const { first, rows } = await tapeRows(pool, piece, allNamedEvery)
  const ticks = rows.map((row) => ({ tick: row.tick, at: row.at_ms, prices: pricesIn(row, market) }))
  return pointsOf(ticks, market)
    .filter(({ tick }) => tick >= first)
    .slice(0, piece.limit)
}

/**
 * The rows of a piece, and so many before it, if they are kept. `first`: the number of the piece's first tick. `head`: the newest tick;
 * what is written while this reads comes after it, and is left out.
 */
async function tapeRows(pool: pg.Pool, piece: TapePiece, lead: number) {
  const { rows: ends } = await pool.query<{ tick: number; hash: Buffer }>('select tick, hash from index_tape order by tick desc limit 1')
  const head = ends[0] === undefined ? { tick: 0, hash: toHex(tapeGenesis) } : { tick: ends[0].tick, hash: toHex(ends[0].hash) }
  const first = await firstTick(pool, piece, head.tick)
  const { rows } = await pool.query<TapeRow>(
    `select tick, at_ms, hash, payload from index_tape
     where tick >= $1 and tick <= $4 and ($2::bigint is null or at_ms < $2) order by tick limit $3`,
    [first - lead, piece.until ?? null, piece.limit + lead, head.tick],
  )
  return { first, rows, head }
}

async function firstTick(pool: pg.Pool, { from, at, limit }: TapePiece, head: number): Promise<number> {
  if (from !== undefined) return from
  if (at === undefined) return Math.max(1, head - limit + 1)
  const { rows } = await pool.query<{ tick: number }>('select tick from index_tape where at_ms >= $1 order by at_ms, tick limit 1', [at])
  return rows[0]?.tick ?? head + 1
}
