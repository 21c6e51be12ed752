/**
 * The report of surveillance over a busy day: rows made by SQL in an embedded PostgreSQL, then the report as the gateway makes it, and
 * the figures of the overview over 60 such days. Fails when the report takes more than ten minutes, or the overview more than a second.
 *
 *   node tools/bench/surveillance.ts [--json] [--trades N] [--accounts N]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figuresOf } from '../../server/console/overview/figures.ts'
import { shifted, spanOf } from '../../server/surveillance/days.ts'
import { Reports } from '../../server/surveillance/reports.ts'
import { migrate } from '../../server/store/migrate.ts'
import { openStore, type Store } from '../../server/store/open.ts'
import { numberAfter, rounded, say } from './report.ts'

const trades = numberAfter('--trades', 1_000_000)
const accounts = numberAfter('--accounts', 20_000)
const day = '2026-01-15'
const span = spanOf(day)
const reportMaxMs = 600_000
const overviewMaxMs = 1_000
const overviewDays = 60

/** Two orders for each trade, and as many again that are cancelled; a tenth of the trades fall to ten makers. */
async function fill({ pool }: Store): Promise<void> {
  const step = `${span.to - span.from} * n::bigint / ${trades}`
  const user = (salt: number): string => `1 + (n * ${salt}::bigint) % ${accounts}`
  const maker = `case when n % 10 = 0 then 1 + n % 100 else ${user(7_919)} end`
  await pool.query(`insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
    select gen_random_uuid(), (100000000 + n)::text, n, 'a' || n || '@example.com', '', 0, 'en', 'I' || n, 'retail', ${span.from} - 1
    from generate_series(1, ${accounts}) n`)
  await pool.query(`insert into sessions (id, account, token, token_since, device, device_key, ip, created_at, last_seen_at, logged_in_at)
    select gen_random_uuid(), id, sha256(uid::bytea), 0, 'Browser', sha256(uid::bytea), '198.51.' || core_user % 250 || '.' || core_user % 200,
      ${span.from}, ${span.to}, ${span.from} from accounts`)
  await pool.query(`insert into markets (id, symbol, base, quote, definition) values (1, 'BTCUSDT', '', 'USDT', '{}')`)
  await pool.query(`insert into orders (id, user_id, client_id, market, side, type, time_in_force, status, price, quantity, executed,
      executed_quote, post_only, placed_at_ms, updated_at_ms)
    select 4 * n + k, case when k = 0 then ${maker} else ${user(104_729)} end, '', 'BTCUSDT', case when k % 2 = 0 then 'sell' else 'buy' end,
      'limit', 'GTC', case when k < 2 then 'filled' else 'cancelled' end, 100 + n % 50, 1 + n % 20, case when k < 2 then 1 + n % 20 else 0 end,
      0, false, ${span.from} + ${step}, ${span.from} + ${step} + 1000 * (n % 60)
    from generate_series(0, ${trades - 1}) n, generate_series(0, 3) k`)
  await pool.query(`insert into trades (market, trade_id, seq, at_ms, price, quantity, quote, taker_side, maker_order, taker_order, maker_user,
      taker_user, maker_fee, taker_fee)
    select 'BTCUSDT', n + 1, n + 1, ${span.from} + ${step}, 100 + n % 50, 1 + n % 20, (100 + n % 50) * (1 + n % 20), 'buy', 4 * n, 4 * n + 1,
      ${maker}, ${user(104_729)}, 0, 0 from generate_series(0, ${trades - 1}) n`)
  await pool.query(`insert into trader_days (day_ms, user_id, hour)
    select ${spanOf(shifted(day, 1 - overviewDays)).from} + d * 86400000::bigint, n,
      ${spanOf(shifted(day, 1 - overviewDays)).from} + d * 86400000::bigint + n % 24 * 3600000::bigint
    from generate_series(0, ${overviewDays - 1}) d, generate_series(1, ${accounts}) n`)
  await pool.query('update projection set seq = $1, at_ms = $2', [trades, span.to])
  await pool.query('analyze')
}

const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'))
const store = await openStore({ dataFolder: folder })
try {
  await migrate(store)
  await fill(store)
  const begun = performance.now()
  const made = await new Reports({ store, clock: () => span.to + 3_600_000 }).make(day)
  const tookMs = Math.round(performance.now() - begun)
  if (made !== 'made') throw new Error(`the report is ${made}`)
  const { rows } = await store.pool.query<{ count: number }>('select count(*)::int as count from surveillance_findings')
  say(`a day of ${rounded(trades)} trades, ${rounded(trades * 4)} orders and ${rounded(accounts)} accounts`)
  say(`report      ${tookMs} ms, ${rows[0]!.count} findings (aim ${reportMaxMs} ms)`)
  const overview = performance.now()
  await figuresOf(store.pool, 'month', span.to - 1)
  const overviewMs = Math.round(performance.now() - overview)
  say(`overview    ${overviewMs} ms for ${overviewDays} days (aim ${overviewMaxMs} ms)`)
  const peak = Math.round(process.resourceUsage().maxRSS / 1024)
  say(`memory      ${peak} MiB at most in the process that reads`)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ name: 'surveillance', value: tookMs, overviewMs, peak }))
  if (tookMs > reportMaxMs || overviewMs > overviewMaxMs) process.exitCode = 1
} finally {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
}
