/**
 * Lists and searches of the operators' console over many customers: rows made by SQL in an embedded PostgreSQL, then each query many
 * times, one after the other. Fails when a 99th percentile is above 300 ms.
 *
 *   node tools/bench/console.ts [--json] [--customers N] [--waiting N] [--rounds N]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CustomerList } from '../../server/customers/list.ts'
import { Looks, subjectOf } from '../../server/customers/looks.ts'
import { profileOf } from '../../server/customers/profile.ts'
import { customersDb } from '../../server/customers/tables.ts'
import { timelineOf } from '../../server/customers/timeline.ts'
import { Lifts, type LiftParts } from '../../server/identity/freeze/lifts.ts'
import { identityDb } from '../../server/identity/tables.ts'
import { Reviews, type ReviewParts } from '../../server/papers/reviews.ts'
import { papersDb } from '../../server/papers/tables.ts'
import { StaffLog } from '../../server/staff/log.ts'
import { staffDb } from '../../server/staff/tables.ts'
import { migrate } from '../../server/store/migrate.ts'
import { openStore, type Store } from '../../server/store/open.ts'
import { numberAfter, say } from './report.ts'

const customers = numberAfter('--customers', 1_000_000)
const waiting = numberAfter('--waiting', 10_000)
const rounds = numberAfter('--rounds', 100)
const aimMs = 300
const now = 1_790_000_000_000
const member = '00000000-0000-4000-8000-000000000001'

/** Ids and UIDs that name a customer by its number. */
const idOf = (number: string): string => `('00000000-0000-4000-9000-' || lpad(${number}::text, 12, '0'))::uuid`

/** One in a hundred is frozen, one in ten thousand a maker; each has a session, and ten entries of the log. */
async function fill({ pool }: Store): Promise<void> {
  const all = `generate_series(1, ${customers}) n`
  await pool.query(`insert into accounts (id, uid, core_user, email, phone, password, password_changed_at, lang, invitation_code, class,
      certification, created_at, frozen_at, residence, declared_at)
    select ${idOf('n')}, (100000000 + n)::text, n, 'customer' || n || '@example.com', '+4915' || lpad(n::text, 9, '0'), '-', 0, 'en', 'I' || n,
      case when n % 10000 = 0 then 'maker' else 'retail' end,
      case when n % 100 = 1 then 'in-progress' when n % 2 = 0 then 'certified' else 'none' end, ${now} - n * 1000::bigint,
      case when n % 100 = 3 then ${now} end, case when n % 50000 = 0 then 'MT' else 'DE' end, 0 from ${all}`)
  await pool.query(`insert into core_users (user_id, class, referrer, is_frozen, tier) select n, 'retail', 0, false, 0 from ${all}`)
  await pool.query(`insert into sessions (id, account, token, token_since, device, device_key, ip, created_at, last_seen_at, logged_in_at)
    select ${idOf('n')}, ${idOf('n')}, sha256(n::text::bytea), 0, 'Chrome', sha256(n::text::bytea), '192.0.2.1', ${now}, ${now}, ${now} from ${all}`)
  await pool.query(`insert into audit_log (account, action, at, ip, device)
    select ${idOf('n')}, 'login', ${now} - m * 60000::bigint, '192.0.2.1', 'Chrome' from generate_series(10, 1, -1) m, ${all}`)
  await pool.query(`insert into orders (id, user_id, client_id, market, side, type, time_in_force, status, executed, executed_quote, post_only,
      placed_at_ms, updated_at_ms) select n, n, '', 'BTCUSDT', 'buy', 'limit', 'GTC', 'open', 0, 0, false, 1, 1 from ${all}`)
  await pool.query(`insert into freezes (account, frozen_at, cause)
    select ${idOf('n')}, ${now}, 'owner' from ${all} where n % 100 = 3`)
  await pool.query(`insert into papers (id, account, state, fields, created_at, sent_at)
    select ${idOf('n')}, ${idOf('n')}, 'waiting', null, ${now} - n, ${now} - n from generate_series(1, ${waiting}) n`)
  await pool.query(`insert into staff (id, email, name, role, state, created_at)
    values ('${member}', 'ann@staff.example', 'Ann', 'administrator', 'invited', 0)`)
  await pool.query(
    'insert into staff_log (at, staff, ip, device, action, subject) ' +
      `select ${now}, '${member}', '-', '-', 'customer-seen', (100000000 + n)::text from ${all} where n % 10 = 0`,
  )
  await pool.query('analyze')
}

type Timed = { readonly name: string; readonly run: (round: number) => Promise<unknown> }

function queriesOf(store: Store): readonly Timed[] {
  const db = customersDb(store)
  const list = new CustomerList(db)
  const looks = new Looks({ db, clock: () => now, log: new StaffLog(staffDb(store), () => now) })
  const one = (round: number): number => 1 + ((round * 7_919) % customers)
  const uidOf = (round: number): string => String(100_000_000 + one(round))
  const lifts = new Lifts({ db: identityDb(store), clock: () => now } as LiftParts)
  const reviews = new Reviews({ db: papersDb(store), clock: () => now, seals: {} } as ReviewParts)
  const session = { id: member, staff: member, email: 'ann@staff.example' }
  const who = { session, visitor: { ip: '-', userAgent: '-' } } as Parameters<Looks['at']>[1]
  const before = (round: number) => ({ createdAt: now - one(round) * 1_000, uid: uidOf(round) })
  return [
    { name: 'list, first page', run: () => list.page({}) },
    { name: 'list, some page', run: (round) => list.page({ before: before(round) }) },
    { name: 'list, frozen', run: (round) => list.page({ state: 'frozen', before: before(round) }) },
    { name: 'list, of the staff', run: () => list.page({ state: 'staff' }) },
    { name: 'list, certification', run: (round) => list.page({ certification: 'in-progress', before: before(round) }) },
    { name: 'list, large country', run: (round) => list.page({ region: 'DE', before: before(round) }) },
    { name: 'list, small country', run: () => list.page({ region: 'MT' }) },
    { name: 'list, class and frozen', run: () => list.page({ class: 'maker', state: 'frozen' }) },
    { name: 'list, class and certification', run: () => list.page({ class: 'maker', certification: 'none' }) },
    { name: 'search, UID', run: (round) => list.find(uidOf(round)) },
    { name: 'search, mail address', run: (round) => list.find(`customer${one(round)}@example.com`) },
    { name: 'search, phone', run: (round) => list.find(`+49 1512 ${String(3_456_000 + (one(round) % 1_000))}`) },
    { name: 'search, order', run: (round) => list.find(String(one(round))) },
    { name: 'search, nobody', run: (round) => list.find(`nobody${round}@example.com`) },
    { name: 'customer', run: async (round) => profileOf(db, await subjectOf(db, uidOf(round)), now) },
    {
      name: 'look that is in the log',
      run: (round) => looks.at(String(100_000_000 + (1 + (round % Math.floor(customers / 10))) * 10), who),
    },
    { name: 'timeline', run: async (round) => timelineOf(db, await subjectOf(db, uidOf(round))) },
    { name: 'frozen accounts', run: () => lifts.standing() },
    { name: 'waiting checks, count', run: () => reviews.waitingCount() },
    { name: 'waiting checks', run: (round) => reviews.waiting({ sentAt: now - one(round), id: member }) },
  ]
}

async function measure({ name, run }: Timed): Promise<{ readonly name: string; readonly p50: number; readonly p99: number }> {
  const times: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const started = performance.now()
    await run(round)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number): number => Number(times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1))
  return { name, p50: at(0.5), p99: at(0.99) }
}

const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'))
const store = await openStore({ dataFolder: folder })
try {
  await migrate(store)
  await fill(store)
  say(`${customers.toLocaleString('en')} customers, ${waiting.toLocaleString('en')} waiting checks, ${rounds} rounds`)
  const results = []
  for (const query of queriesOf(store)) {
    const result = await measure(query)
    results.push(result)
    say(`${result.name.padEnd(32)} p50 ${String(result.p50).padStart(7)} ms   p99 ${String(result.p99).padStart(7)} ms`)
  }
  const value = Math.max(...results.map(({ p99 }) => p99))
  say(`slowest p99: ${value} ms (aim ${aimMs} ms)`)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ name: 'console', value, results }))
  if (value > aimMs) process.exitCode = 1
} finally {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
}
