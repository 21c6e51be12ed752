/**
 * A statement of liabilities of a million customers: made by the process of low priority that the follower starts, from balances in an
 * embedded PostgreSQL, then read for one customer and checked as a phone does. Beside it the platform's own hashes of as many bytes. Fails
 * when the statement takes more than two minutes, or a check more than 50 ms.
 *
 *   node tools/bench/proof/main.ts [--json] [--customers N] [--repeat N]
 *
 * `--repeat`: makes so many statements, one after the other, so that another benchmark can run beside them.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkLiabilities, readLiabilityText } from '@candor/core/proof/liabilities.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { headKeyFile } from '../../../server/proof/head-key.ts'
import { HeadMaker } from '../../../server/proof/head-maker.ts'
import { LiabilityJob } from '../../../server/proof/liabilities/job.ts'
import { statementMs } from '../../../server/proof/liabilities/maker.ts'
import { ownProof } from '../../../server/proof/liabilities/own-proof.ts'
import { migrate } from '../../../server/store/migrate.ts'
import { openStore, type Store } from '../../../server/store/open.ts'
import { lastStatement } from '../../../server/store/query/proof/statements.ts'
import { median, numberAfter, rounded, say } from '../report.ts'

const customers = numberAfter('--customers', 1_000_000)
const repeat = numberAfter('--repeat', 1)
const assets = ['USDT', 'BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'TRX', 'DOGE', 'ADA', 'LTC', 'LINK', 'AVAX']
/** Of each customer: USDT, and others with this probability. With three and a half parts of each there are twelve leaves. */
const otherShare = 0.221
const [statementMaxMs, checkMaxMs] = [120_000, 50]
const checks = 20

async function fill({ pool }: Store): Promise<void> {
  await pool.query(
    `insert into core_users (user_id, class, referrer, is_frozen, tier) select n, 'retail', 0, false, 0 from generate_series(1, ${customers}) n`,
  )
  await pool.query(`insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
    select gen_random_uuid(), (100000000 + n)::text, n, 'a' || n || '@example.com', '', 0, 'en', 'I' || n, 'retail', 0 from generate_series(1, ${customers}) n`)
  for (const [n, asset] of assets.entries()) {
    await pool.query('insert into assets (id, symbol, scale) values ($1, $2, 6)', [n + 1, asset])
    await pool.query(
      `insert into balances (user_id, kind, market, asset, available, held, seq)
       select n, 'spot', '', $1, trunc((random() * 1000)::numeric, 6) + 1, 0, 1 from generate_series(1, ${customers}) n where n = 1 or random() < $2`,
      [asset, n === 0 ? 1 : otherShare],
    )
  }
  await pool.query(`insert into journal (seq, epoch, n, first_at, core_version, prev_hash, hash, events_digest, payload)
    values (1, 1, 1, 0, 1, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), '')`)
  await pool.query('update projection set seq = 1, at_ms = 0')
  await pool.query('vacuum analyze')
}

/** Largest memory of any process that this one started, in MiB, looked up again and again until `done`. */
function watchMemory(): { stop(): number } {
  let most = 0
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        if (status.includes(`PPid:\t${process.pid}\n`)) most = Math.max(most, Number(/VmHWM:\s+([0-9]+)/.exec(status)?.[1] ?? 0))
      } catch {
        // It ended.
      }
    }
  }
  const timer = process.platform === 'linux' ? setInterval(look, 1_000) : undefined
  return {
    stop() {
      clearInterval(timer)
      return Math.round(most / 1024)
    },
  }
}

/** Milliseconds in which the platform hashes so many messages of two blocks, as a program without further thought does it. */
function plainHashesMs(count: number): number {
  const message = Buffer.alloc(81)
  const some = 200_000
  const begun = performance.now()
  for (let n = 0; n < some; n++) {
    message.writeUInt32LE(n)
    createHash('sha256').update(message).digest()
  }
  return ((performance.now() - begun) / some) * count
}

async function check(publicKey: string, text: string, signature: string): Promise<boolean> {
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  return verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    Buffer.from(signature, 'hex'),
  )
}

/** Milliseconds of the first check and of the middle one. */
async function checkMs(proof: string): Promise<{ readonly first: number; readonly middle: number }> {
  const times: number[] = []
  for (let n = 0; n < checks; n++) {
    const begun = performance.now()
    const found = await checkLiabilities(JSON.parse(proof), {}, check)
    times.push(performance.now() - begun)
    if ('wrong' in found) throw new Error(found.wrong)
  }
  return { first: times[0]!, middle: median(times) }
}

const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'))
const store = await openStore({ dataFolder: folder })
try {
  await migrate(store)
  await fill(store)
  const memory = watchMemory()
  await using job = new LiabilityJob(store)
  let isOver = false
  const end = (): void => {
    isOver = true
    void job[Symbol.asyncDispose]()
  }
  process.once('SIGTERM', end).once('SIGINT', end)
  const times: number[] = []
  while (times.length < repeat && !isOver) {
    await store.pool.query(`update liability_statements set at_ms = at_ms - ${statementMs}`)
    const begun = performance.now()
    await job.turn()
    times.push(performance.now() - begun)
    say(`            ${rounded(times.at(-1)!)} ms`)
  }
  const tookMs = Math.round(median(times))
  const peak = memory.stop()
  const { trees } = readLiabilityText((await lastStatement(store.pool))!.text)!
  const leaves = trees.reduce((sum, { size }) => sum + size, 0)
  // Each leaf, the owner in it, and almost as many nodes.
  const plainMs = Math.round(plainHashesMs(leaves * 3))
  const sizes =
    "select sum(pg_total_relation_size(name::regclass))::bigint as bytes from unnest(array['liability_nodes', 'liability_owners']) name"
  const megabytes = Math.round((await store.pool.query<{ bytes: number }>(sizes)).rows[0]!.bytes / 2 ** 20)
  say(`liabilities ${rounded(customers)} customers, ${trees.length} trees with ${rounded(leaves)} leaves, ${megabytes} MiB`)
  say(`statement   ${rounded(tookMs)} ms at low priority (aim ${rounded(statementMaxMs)} ms), ${peak} MiB`)
  say(`yardstick   ${rounded(plainMs)} ms for as many hashes by createHash: ${(tookMs / plainMs).toFixed(2)} times`)
  await new HeadMaker({ pool: store.pool, keyFile: headKeyFile(folder), clock: () => Date.now() + 60_000 }).turn()
  const reading = performance.now()
  const proof = JSON.stringify(await ownProof(store.pool, 1 as UserId))
  const readMs = performance.now() - reading
  const { first, middle } = await checkMs(proof)
  const own = (JSON.parse(proof) as { trees: { leaves: unknown[] }[] }).trees.reduce((sum, tree) => sum + tree.leaves.length, 0)
  say(`proof       ${own} leaves in ${assets.length} assets, ${rounded(proof.length / 1024)} KiB, read in ${readMs.toFixed(1)} ms`)
  say(`check       ${first.toFixed(1)} ms the first time, then ${middle.toFixed(1)} ms (aim ${checkMaxMs} ms)`)
  if (process.argv.includes('--json'))
    console.log(
      JSON.stringify({ name: 'proof', value: tookMs, plainMs, leaves, megabytes, peak, readMs, firstCheckMs: first, checkMs: middle }),
    )
  if (tookMs > statementMaxMs || first > checkMaxMs) process.exitCode = 1
} finally {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
}
