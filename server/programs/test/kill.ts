import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { seeded } from '../../engine/test/workload.ts'
import { certify } from '../../main/certified.ts'
import { withExchange } from '../../main/command.ts'
import { makeIdentity } from '../../main/roles.ts'
import { readSettings, type Settings } from '../../main/settings.ts'
import { type Running, startTree } from '../../main/supervisor.ts'
import type { Store } from '../../store/open.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { audit } from '../../journal/audit.ts'
import { type Fields, Program } from './program.ts'
import { verifyCaller } from './signed-books.ts'
import { Caller, symbol } from './signed-load.ts'

export type SignedKillOptions = {
  readonly rounds: number
  readonly seed: number
  readonly report?: (line: string) => void
  /** Keeps the folder of an exchange that failed, with its log. */
  readonly isKept?: boolean
}
export type SignedKillResult = {
  readonly acknowledged: number
  /** Count of acknowledged requests of each kind, such as `contracts amend`. */
  readonly kinds: Readonly<Record<string, number>>
  /** Payments of funding, which come at the end of an hour. */
  readonly fundings: number
  readonly repeats: number
  /** Requests without an answer, or answered with an unknown outcome, and the count of the latter. */
  readonly unknown: number
  readonly saidUnknown: number
  readonly backMsMax: number
}

const victims = ['engine', 'gateway', 'engine', 'database', 'follower', 'engine and gateway'] as const
/** Retail users, all of whose orders are listed afterwards; many enough that none reaches the order limit. */
const callerCount = 16
/** Requests that must be answered before the next kill. */
const answeredPerRound = 60
/** Requests of each user that are in progress at the same time. */
const atOnce = 2
/** A minute of patience; time in which the machine stands still does not count. */
const looksMax = 1_200
const lookEveryMs = 50
const funds = { USDT: '100000', BTC: '2' }
/** The part for Futures, in whole USDT. */
const contractFunds = 40_000

/**
 * Kills processes of a whole exchange, without warning and under signed load; it restarts them by itself. Requests with an
 * unknown outcome are sent again after each round; at the end the API's lists are compared with the acknowledged requests.
 */
export async function signedKillRounds({ rounds, seed, report, isKept = false }: SignedKillOptions): Promise<SignedKillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-signed-kill-'))
  copyPrepared(folder)
  const settings = readSettings(
    { CANDOR_DATA: folder, PORT: '0', CANDOR_FEED: 'simulated', CANDOR_SEED: '1', CANDOR_BOTS: 'off', CANDOR_TEST_CHAINS: 'off' },
    folder,
  )
  const random = seeded(seed)
  let isRunning = false
  let isDone = false
  try {
    await using tree = await startTree(settings, () => undefined)
    const programs = await programsOf(settings, tree.url)
    await fundHourly(settings)
    const price = await priceOf(programs[0] as Program)
    const callers = programs.map((program, i) => new Caller(program, seeded(seed * 1_000 + i), price))
    await Promise.all(callers.map((caller) => caller.begin(contractFunds)))
    let [unknown, backMsMax, fundings] = [0, 0, 0]
    for (let round = 0; round < rounds; round++) {
      const victim = victims[round % victims.length] as (typeof victims)[number]
      isRunning = true
      const running = Promise.all(callers.flatMap((caller) => Array.from({ length: atOnce }, () => caller.run(() => isRunning))))
      const before = count(callers)
      await untilMore(callers, before + answeredPerRound)
      await sleep(random() * 400)
      const pids = pidsOf(tree, folder)
      for (const name of victim.split(' and ')) killNow(pids[name] as number)
      const killedAt = performance.now()
      await untilBack(() => pidsOf(tree, folder), pids, victim, programs[0] as Program)
      const backMs = performance.now() - killedAt
      backMsMax = Math.max(backMsMax, backMs)
      await sleep(100)
      isRunning = false
      await running
      unknown += callers.reduce((sum, caller) => sum + caller.unknown.length, 0)
      await Promise.all(callers.map((caller) => caller.settle()))
      report?.(
        `round ${round + 1}: killed ${victim}, back in ${Math.round(backMs)} ms, ${count(callers)} acknowledged, ${unknown} unknown so far`,
      )
    }
    await withExchange(settings, async (link, { store }) => {
      await untilProjected(store, (await link.ask.head()).seq)
      for (const caller of callers) fundings += await verifyCaller(caller, funds)
      const { ok, problems } = await audit({ pool: store.pool })
      assert.ok(ok, problems.join('; '))
    })
    const repeats = callers.reduce((sum, caller) => sum + caller.repeats, 0)
    const saidUnknown = callers.reduce((sum, caller) => sum + caller.saidUnknown, 0)
    isDone = true
    return { acknowledged: count(callers), kinds: kindsOf(callers), fundings, repeats, unknown, saidUnknown, backMsMax }
  } finally {
    isRunning = false
    if (isDone || !isKept) rmSync(folder, { recursive: true, force: true })
    else report?.(`left for a look: ${folder}`)
  }
}

/** Market price before the first trade, in whole USDT. */
export async function priceOf(program: Program): Promise<number> {
  const { price } = await program.done('GET', '/api/v3/avgPrice', { symbol })
  return Math.round(Number(price))
}

/** A process that died by itself and is being restarted need not be killed. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause
  }
}

/** Waits for the tables, which after a kill follow the journal later than a reader waits. */
async function untilProjected(store: Store, seq: number): Promise<void> {
  for (let looks = 0; ; looks++) {
    const { rows } = await store.pool.query<{ seq: number }>('select seq from projection')
    if ((rows[0]?.seq ?? 0) >= seq) return
    assert.ok(looks < looksMax, 'the tables do not follow')
    await sleep(lookEveryMs)
  }
}

/** Waits until requests are answered, however busy the machine is, so that there is load. */
async function untilMore(callers: readonly Caller[], enough: number): Promise<void> {
  for (let looks = 0; count(callers) < enough && looks < looksMax; looks++) await sleep(20)
}

function kindsOf(callers: readonly Caller[]): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {}
  for (const { sent } of callers.flatMap(({ told }) => told)) {
    const name = `${sent.desk} ${sent.kind}` as const
    kinds[name] = (kinds[name] ?? 0) + 1
  }
  return kinds
}

const count = (callers: readonly Caller[]): number => callers.reduce((sum, { told }) => sum + told.length, 0)

/** A run that includes the end of an hour includes funding. */
async function fundHourly(settings: Settings): Promise<void> {
  await withExchange(settings, async (link) => {
    const { markets } = await link.ask.listing()
    for (const { id: market, terms, perp } of markets) {
      if (perp === undefined) continue
      const { refusal } = await link.submit({ type: 'perp.set', market, terms, perp: { ...perp, fundingHours: 1 } })
      assert.equal(refusal, undefined)
    }
  })
}

/** Users with funds and keys, created as the command line creates them. */
export function programsOf(settings: Settings, url: string, users = callerCount): Promise<readonly Program[]> {
  return withExchange(settings, async (link, ground) => {
    await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() })
    const { assets } = await link.ask.listing()
    const programs: Program[] = []
    for (let i = 0; i < users; i++) {
      const { account, user } = await identity.createUser({
        email: `c${i}@test.example`,
        password: 'correct horse battery',
        class: 'retail',
      })
      await certify(link.submit, identity, account, user as UserId)
      for (const [name, amount] of Object.entries(funds)) {
        const { id, scale } = assets.find((one) => one.symbol === name)!
        const given = { user, clientId: `first-${name}`, asset: id, amount: Number(amount) * 10 ** scale }
        const { refusal } = await link.submit(commandOf({ type: 'funds.faucet', ...given }))
        assert.equal(refusal, undefined)
      }
      const form = { label: 'load', scopes: ['read', 'trade'], ips: [] } as const
      const { key, secret } = await identity.keys.grant(form, { account, visitor: { ip: 'local', userAgent: 'test' } })
      programs.push(new Program(url, key.key, secret as string))
    }
    return programs
  })
}

function pidsOf(tree: Running, folder: string): Readonly<Record<string, number>> {
  try {
    const note = readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8')
    return { ...tree.pids(), database: Number(note.split('\n')[0]) }
  } catch {
    // The database is being started.
    return tree.pids()
  }
}

/** Waits until every killed process has a successor, and signed requests that need all of them are answered. */
async function untilBack(
  pids: () => Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
  victim: string,
  program: Program,
): Promise<void> {
  let last: unknown
  const isAnswered = async (method: string, path: string, more: Fields = {}): Promise<boolean> => {
    const answer = await program.signed(method, path, { symbol, ...more }).catch((cause: unknown) => {
      last = `${method} ${path}: ${(cause as Error).message}`
      return undefined
    })
    if (answer === undefined) return false
    last = `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`
    return answer.status < 429
  }
  for (let looks = 0; ; looks++) {
    const now = pids()
    const isReplaced = victim.split(' and ').every((role) => now[role] !== undefined && now[role] !== before[role])
    // The database alone answers one of these requests; the other needs the engine's decision.
    const isBack = isReplaced && (await isAnswered('GET', '/api/v3/myTrades'))
    if (isBack && (await isAnswered('DELETE', '/api/v3/order', { origClientOrderId: 'nobody' }))) return
    assert.ok(looks < looksMax, `${victim} did not come back; last ${last}, of ${JSON.stringify([before, now])}`)
    await sleep(lookEveryMs)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } } })
  const result = await signedKillRounds({
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    report: (line) => console.log(line),
    isKept: true,
  })
  const { acknowledged, kinds, fundings, repeats, unknown, backMsMax } = result
  for (const [kind, number] of Object.entries(kinds)) console.log(`${kind}: ${number}`)
  console.log(`payments of funding: ${fundings}`)
  console.log(
    `${values.rounds} rounds: ${acknowledged} acknowledged, 0 lost, 0 doubled (${repeats} sent twice, ${unknown} unknown); longest without service ${Math.round(backMsMax)} ms`,
  )
}
