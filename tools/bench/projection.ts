/**
 * The projector compared with pgbench on the same server: full trade rows per second into their table with its three indexes, from
 * decoded events to the commit, in batches of 1,024. Then all tables: a journal of mixed orders, replayed, compared and projected as
 * the running projector does it; and the lag behind a steady 5,000 commands per second.
 *
 *   node tools/bench/projection.ts [--json] [--rounds N] [--seconds N]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Seq } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import type { Traded } from '@candor/core/protocol/event/index.ts'
import type pg from 'pg'
import { migrate } from '../../server/store/migrate.ts'
import { openStore, type Store } from '../../server/store/open.ts'
import { Known } from '../../server/store/projection/known.ts'
import { TradeRows } from '../../server/store/projection/matches/trades.ts'
import { writePart } from '../../server/store/projector/write.ts'
import { projectAtPace, projectWorkload } from './projection-workload.ts'
import { prepareTpcB } from './tpcb.ts'

const rounds = numberAfter('--rounds', 5)
const seconds = numberAfter('--seconds', 20)
const tpcbSeconds = 4
const rowsPerRound = 200_000
const rowsPerPart = 1024

/** Writes trades of one market between many users, in the form of the core's events. */
class TradeWriter {
  readonly #store: Store
  readonly #rows: TradeRows
  #trade = 0

  constructor(store: Store) {
    this.#store = store
    const known = new Known()
    known.addAsset({ id: 1, symbol: 'USDT', scale: 6 } as Asset)
    known.addAsset({ id: 2, symbol: 'BTC', scale: 8 } as Asset)
    const terms = {} as Market['terms']
    const steps = { tick: '0.1', lot: '0.00001', basePerLot: 1000, quotePerTickLot: 1 }
    known.addMarket({ id: 1, symbol: 'BENCH', base: 2, quote: 1, ...steps, terms } as Market)
    this.#rows = new TradeRows(known)
  }

  /** Rows per second. */
  async write(count: number): Promise<number> {
    const client: pg.PoolClient = await this.#store.pool.connect()
    const started = performance.now()
    for (let written = 0; written < count; written += rowsPerPart) {
      for (let row = 0; row < rowsPerPart; row++) this.#add()
      const { rows } = await client.query<{ seq: number }>('select seq from projection')
      const from = rows[0]?.seq ?? 0
      const span = { from: from as Seq, to: (from + rowsPerPart) as Seq, at: 1 as Millis }
      await writePart(client, { ...span, statements: [this.#rows.take()!], hasNews: false })
    }
    const seconds = (performance.now() - started) / 1000
    client.release()
    return (Math.ceil(count / rowsPerPart) * rowsPerPart) / seconds
  }

  #add(): void {
    const trade = ++this.#trade
    const [price, lots] = [600_000 + (trade % 977), 100 + (trade % 4001)]
    const users = { makerUser: 1 + ((trade * 7919) % 1000), takerUser: 1 + ((trade * 104_729) % 1000) }
    const orders = { makerOrder: trade * 3 - (trade % 500), takerOrder: trade * 3 }
    const sums = { price, lots, quote: price * lots, makerFee: lots, takerFee: Math.floor((price * lots) / 1000) }
    const event = { type: 'traded', market: 1, trade, takerSide: trade % 2 === 0 ? 'buy' : 'sell', ...users, ...orders, ...sums }
    this.#rows.apply(event as unknown as Traded, trade as Seq, (1_768_000_000_000 + trade) as Millis)
  }
}

function numberAfter(flag: string, otherwise: number): number {
  const at = process.argv.indexOf(flag)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}

function rounded(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'))
const store = await openStore({ dataFolder: folder })
try {
  await migrate(store)
  const yardstick = await prepareTpcB(store.url)
  const trades = new TradeWriter(store)
  await trades.write(20_000)
  const pairs: { readonly rows: number; readonly tps: number }[] = []
  for (let round = 1; round <= rounds; round++) {
    const tps = await yardstick.run(tpcbSeconds)
    const rows = await trades.write(rowsPerRound)
    pairs.push({ rows, tps })
    say(`round ${round}: ${rounded(rows)} trade rows/s, ${rounded(tps)} TPC-B/s, ratio ${(rows / tps).toFixed(1)}`)
  }
  const value = median(pairs.map(({ rows }) => rows))
  const tps = median(pairs.map(({ tps }) => tps))
  const ratio = median(pairs.map(({ rows, tps }) => rows / tps))
  say(`trade rows: median ${rounded(value)}/s, ${yardstick.name} ${rounded(tps)}/s, ratio ${ratio.toFixed(1)} (floor 15, aim 40)`)

  const all = await projectWorkload(store)
  say(
    `all tables: ${rounded(all.commandsPerSecond)} commands/s with ${rounded(all.tradesPerSecond)} trades/s and ` +
      `${rounded(all.rowsPerSecond)} rows/s, replay and digests included, ${(all.commandsPerSecond / tps).toFixed(1)} times TPC-B`,
  )
  const sustained = await projectAtPace(store, 5000, seconds)
  say(
    `${seconds} s at ${rounded(sustained.commandsPerSecond)} commands/s with ${rounded(sustained.tradesPerSecond)} trades/s: ` +
      `${rounded(sustained.lagMsAtEnd)} ms behind at the end (floor 60,000, aim 1,000), at most ${rounded(sustained.lagCommandsMax)} commands`,
  )
  if (process.argv.includes('--json')) {
    const results = { tradeRows: pairs, allTables: all, sustained }
    console.log(JSON.stringify({ name: 'projection', value, yardstick: tps, yardstickName: yardstick.name, ratio, results }))
  }
} finally {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
}
