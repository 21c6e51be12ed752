/**
 * Approved withdrawals become transactions, each paid at most once. The rules: a slot is stored before the signer is asked for it; what
 * it signed is stored before it touches the network; a withdrawal keeps its nonce; a second transaction without a nonce needs the proof
 * that the first is dead; and only a final block says what became of them. What nodes answer to a broadcast decides nothing.
 */
import type { Clock } from '../../ports.ts'
import type { Signed } from '../ports.ts'
import { NodeFault } from '../rpc/json-rpc.ts'
import type { SignerLink } from '../signer/connect.ts'
import { slotJson } from '../signer/memory.ts'
import { SignerRefused } from '../signer/reasons.ts'
import { signMax } from '../signer/wire.ts'
import { type PayoutChain, PayoutWaits, type Proof, type Wait } from './chain.ts'
import { coinsOf } from './coins.ts'
import { type PayoutTimes, pauseMs, usualTimes } from './pauses.ts'
import type { PayoutOptions, Step } from './options.ts'
import { isOfPayment } from './refused.ts'
import { type Approvals, type Attempt, type AttemptRow, attemptsOf, paymentOf, type PayoutRow, slotOf } from './rows.ts'
import { PayoutTables, type Settled } from './tables.ts'

/** Operators who sign above the limit of the signer's policy. */
const operatorsNeeded = 2

/** Payouts in blocks that are not final, beyond which no new ones begin. A deep reorganization brings them all back to the pools. */
const includedMax = 240

/** Payouts whose proofs are asked for at a time, and ends that the core is told at a time. */
const [proofsAtOnce, finishesAtOnce] = [16, 64]

/** What a pass works with: the tables under the network's lock, and the chain as it is now. */
type Pass = { readonly tables: PayoutTables; readonly chain: PayoutChain }

/** An attempt that the signer is asked for. `earlier`: transactions of the withdrawal that were signed before. */
type Job = { readonly row: PayoutRow; readonly n: number; readonly slot: Attempt['slot']; readonly earlier: readonly string[] }

export class Payout {
  readonly #options: PayoutOptions
  readonly #clock: Clock
  readonly #times: PayoutTimes
  /** Under which the signer refused. */
  #policy: number | undefined

  constructor(options: PayoutOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.#times = { ...usualTimes, ...options.times }
  }

  /**
   * Moves each payout of the network as far as it goes now.
   *
   * returns  whether this process may: of several on one database only one works on a network at a time
   */
  async pass(): Promise<boolean> {
    const client = await this.#options.pool.connect()
    let isWell = false
    try {
      const tables = new PayoutTables(client, this.#options.network, this.#clock)
      const isOurs = await tables.lock()
      if (isOurs) {
        await this.#run(tables)
        await tables.unlock()
      }
      isWell = true
      return isOurs
    } finally {
      // A connection that is closed gives up its lock.
      client.release(!isWell)
    }
  }

  async #run(tables: PayoutTables): Promise<void> {
    await this.#wake(tables)
    await this.#take(tables)
    const chain = this.#options.chain.now()
    const open = await tables.open()
    const of = (wanted: PayoutRow['state']): readonly PayoutRow[] => open.filter(({ state }) => state === wanted)
    const attempts = await tables.attempts([...of('bound'), ...of('signed')].map(({ withdrawal }) => withdrawal))
    await this.#finish(tables, of('settled'))
    const included = await this.#follow({ tables, chain }, of('signed'), attempts)
    const planned = of('bound').flatMap((row) => jobOf(row, attempts.get(row.withdrawal) ?? []) ?? [])
    await this.#sign({ tables, chain }, planned)
    for (const row of of('taken').filter(({ is_ended: isEnded }) => isEnded)) await this.#guarded(tables, row, () => this.#end(tables, row))
    const going = of('taken').filter(({ is_ended: isEnded }) => !isEnded)
    await this.#start({ tables, chain }, going, Math.min(included, includedMax))
  }

  /** A policy that was changed may allow what the signer refused. */
  async #wake(tables: PayoutTables): Promise<void> {
    const policy = this.#options.policy?.()
    if (policy === undefined || policy === this.#policy) return
    await tables.wake()
    this.#policy = policy
  }

  async #take(tables: PayoutTables): Promise<void> {
    for (const withdrawal of await tables.take(await this.#options.approved())) await this.#step('taken', withdrawal)
  }

  /**
   * Begins payouts while there is room. `included`: those whose nonce is used in a block that is not final: no node keeps them in its
   * pool any more.
   */
  async #start({ tables, chain }: Pass, rows: readonly PayoutRow[], included: number): Promise<void> {
    let ready = await this.#readyOf(tables, rows)
    while (ready.length > 0) {
      const { bound, inFlight, hasForeign } = await tables.load()
      const room = chain.inFlightMax - (inFlight - included)
      if (bound > 0 || room <= 0 || hasForeign) return
      const last = await tables.lastNonce()
      const nonce = last === undefined ? await this.#firstNonce(tables, chain, ready[0]!) : last + 1
      if (nonce === 'unknown') return
      // The signer takes whichever nonce comes first: the others wait for what it says to the first one.
      const count = last === undefined && nonce !== undefined ? 1 : Math.min(room, signMax)
      const behind = await this.#startGroup({ tables, chain }, ready.slice(0, count), nonce)
      ready = [...behind, ...ready.slice(count)]
    }
  }

  /**
   * Those whose pause is over, and those that waited for operators who have signed since. Refused ones come last: the signer wants nonces
   * without gaps, so that those behind a refused one have to ask again.
   */
  async #readyOf(tables: PayoutTables, rows: readonly PayoutRow[]): Promise<readonly PayoutRow[]> {
    const isPaused = ({ retry_at: retryAt }: PayoutRow): boolean => retryAt > this.#clock()
    const unsigned = rows.filter((row) => isPaused(row) && row.trouble === 'APPROVALS_MISSING')
    const approvals = await tables.approvals(unsigned.map(({ withdrawal }) => withdrawal))
    const ready = rows.filter((row) => !isPaused(row) || (approvals.get(row.withdrawal) ?? []).length >= operatorsNeeded)
    return [...ready.filter(({ refusals }) => refusals === 0), ...ready.filter(({ refusals }) => refusals > 0)]
  }

  /** Before anything is bound or signed. throws  PayoutWaits */
  #checkToken({ contract }: PayoutRow): void {
    const { isTokenGood = () => true } = this.#options
    const isGood = isTokenGood(contract ?? undefined)
    if (isGood !== true) throw new PayoutWaits(isGood === undefined ? 'TOKEN_UNKNOWN' : 'TOKEN_REFUSED')
  }

  /** By the chain, which is asked only for the first one; undefined where there are none. */
  async #firstNonce(tables: PayoutTables, chain: PayoutChain, row: PayoutRow): Promise<number | undefined | 'unknown'> {
    let nonce: number | undefined | 'unknown' = 'unknown'
    await this.#guarded(tables, row, async () => void (nonce = await chain.nonce()))
    return nonce
  }

  /**
   * Gives each payout that can be paid now its place, with nonces without gaps, and has them signed.
   *
   * returns  those that gave their places back because the signer refused one before them
   */
  async #startGroup({ tables, chain }: Pass, rows: readonly PayoutRow[], first: number | undefined): Promise<readonly PayoutRow[]> {
    const slots = await Promise.allSettled(rows.map((row) => chain.slot(paymentOf(row), first)))
    const underway = await tables.underway()
    const jobs: Omit<Job, 'n'>[] = []
    let coins = 0n
    for (const [place, row] of rows.entries()) {
      await this.#guarded(tables, row, async () => {
        this.#checkToken(row)
        const payment = paymentOf(row)
        const sum = payment.value + (underway.get(row.contract) ?? 0n)
        if ((await chain.balance(payment.contract)) < sum) throw new PayoutWaits('HOT_EMPTY')
        const found = slots[place]!
        if (found.status === 'rejected') throw found.reason
        coins += await coinsOf(chain, payment, found.value, coins)
        underway.set(row.contract, sum)
        const slot = found.value.kind === 'evm' ? { ...found.value, nonce: found.value.nonce + jobs.length } : found.value
        jobs.push({ row, slot, earlier: [] })
      })
    }
    const numbers = await tables.bind(jobs.map(({ row: { withdrawal }, slot }) => ({ withdrawal, slot })))
    for (const { row } of jobs) await this.#step('bound', row.withdrawal)
    return this.#signGroup(
      { tables, chain },
      jobs.map((job) => ({ ...job, n: numbers.get(job.row.withdrawal)! })),
    )
  }

  /** Another place of a payout that has one, and its signature. `earlier`: all that were signed for it. */
  async #again({ tables, chain }: Pass, row: PayoutRow, slot: Attempt['slot'], earlier: readonly Attempt[]): Promise<void> {
    const n = await tables.plan(row.withdrawal, slot)
    await this.#step('planned', row.withdrawal)
    await this.#sign({ tables, chain }, [{ row, n, slot, earlier: earlier.map(({ txid }) => txid) }])
  }

  async #sign(pass: Pass, jobs: readonly Job[]): Promise<void> {
    for (let from = 0; from < jobs.length; from += signMax) await this.#signGroup(pass, jobs.slice(from, from + signMax))
  }

  /**
   * Asks the signer. The same question again gets the same transactions, so a lost answer costs nothing.
   *
   * returns  those with which nothing may be wrong but the gap that a refused one before them left
   */
  async #signGroup({ tables, chain }: Pass, jobs: readonly Job[]): Promise<readonly PayoutRow[]> {
    const asked: { readonly job: Job; readonly request: Parameters<SignerLink['signAll']>[0][number] }[] = []
    const approvals = await tables.approvals(jobs.map(({ row }) => row.withdrawal))
    for (const job of jobs)
      await this.#guarded(tables, job.row, async () => {
        asked.push({ job, request: await this.#requestOf(job, approvals.get(job.row.withdrawal) ?? []) })
      })
    if (asked.length === 0) return []
    const answers = await this.#options.signer.signAll(asked.map(({ request }) => request)).catch((cause: Error) => asked.map(() => cause))
    const signed: (Signed & { readonly withdrawal: number; readonly n: number })[] = []
    const behind: PayoutRow[] = []
    let isBehind = false
    for (const [place, { job }] of asked.entries()) {
      const answer = answers[place]!
      if (!(answer instanceof Error)) signed.push({ withdrawal: job.row.withdrawal, n: job.n, ...answer })
      else if (await this.#refused(tables, job, answer, isBehind)) behind.push(job.row)
      isBehind ||= answer instanceof Error
    }
    for (const { withdrawal } of signed) await this.#step('signed', withdrawal)
    await tables.store(signed)
    for (const { withdrawal } of signed) await this.#step('stored', withdrawal)
    await this.#send({ tables, chain }, signed)
    return behind
  }

  async #requestOf({ row, slot, earlier }: Job, approvals: Approvals) {
    const { network, signDead } = this.#options
    const payment = paymentOf(row)
    const unproved = (cause: unknown): never => waitFor('DEAD_UNPROVED', cause)
    const dead =
      slot.kind === 'tron' && earlier.length > 0
        ? { dead: { txids: [...earlier], signature: await signDead(network, row.withdrawal, earlier).catch(unproved) } }
        : {}
    return { payment: { ...payment, value: payment.value.toString() }, slot: slotJson(slot), ...row.proofs, approvals, ...dead }
  }

  /**
   * `isBehind`: one before it has no signature. The signer wants nonces without gaps, so nothing may be wrong with this one.
   *
   * returns  whether that is so
   */
  async #refused(tables: PayoutTables, { row, n }: Job, cause: Error, isBehind: boolean): Promise<boolean> {
    const reason = cause instanceof SignerRefused ? cause.reason : undefined
    if (reason !== undefined && isOfPayment(reason)) await tables.release(row, n)
    if (isBehind && reason === 'NONCE_GAP') return true
    await this.#guarded(tables, row, () => Promise.reject(cause))
    return false
  }

  /** In the order of nonces: a node may not keep one that is ahead of others. */
  async #send({ tables, chain }: Pass, signed: readonly (Pick<Attempt, 'n' | 'raw'> & { readonly withdrawal: number })[]): Promise<void> {
    const sent: { readonly withdrawal: number; readonly n: number; readonly hint: string }[] = []
    for (const { withdrawal, n, raw } of signed) {
      sent.push({ withdrawal, n, hint: await chain.send(raw) })
      await this.#step('sent', withdrawal)
    }
    await tables.sent(sent)
    for (const { withdrawal } of sent) await this.#step('noted', withdrawal)
  }

  /**
   * Looks for what became of signed payouts, and sends, replaces or settles them.
   *
   * returns  how many of them have a nonce that a block used
   */
  async #follow(pass: Pass, rows: readonly PayoutRow[], attempts: ReadonlyMap<number, readonly AttemptRow[]>): Promise<number> {
    const { tables, chain } = pass
    const of = (row: PayoutRow): readonly AttemptRow[] => attempts.get(row.withdrawal) ?? []
    const proofs: PromiseSettledResult<Proof>[] = []
    for (let from = 0; from < rows.length; from += proofsAtOnce) {
      const some = rows.slice(from, from + proofsAtOnce)
      proofs.push(...(await Promise.allSettled(some.map((row) => chain.prove(paymentOf(row), attemptsOf(of(row)))))))
    }
    const settled: (Settled & { readonly row: PayoutRow })[] = []
    // The first of the line is behind those in a block only.
    let [isFirst, included] = [true, 0]
    for (const [place, row] of rows.entries()) {
      let isIn = false
      await this.#guarded(tables, row, async () => {
        const found = proofs[place]!
        if (found.status === 'rejected') throw found.reason
        const proof = found.value
        isIn = proof.kind === 'settled' || proof.kind === 'seen'
        if (proof.kind === 'settled') settled.push(settledOf(row, proof))
        else if (proof.kind !== 'seen') await this.#move(pass, row, of(row), proof, isFirst)
      })
      if (isIn && row.refusals > 0) await tables.trouble(row.withdrawal, undefined, 0, 0)
      isFirst &&= isIn
      if (isIn && row.nonce !== null) included++
    }
    for (const { withdrawal } of settled) await this.#step('proved', withdrawal)
    await tables.settle(settled)
    for (const { withdrawal } of settled) await this.#step('settled', withdrawal)
    await this.#finish(
      tables,
      settled.map(({ row, fate }) => ({ ...row, fate })),
    )
    return included
  }

  /** What is done about a payout that is in no block. */
  async #move(pass: Pass, row: PayoutRow, all: readonly AttemptRow[], proof: Proof, isFirst: boolean): Promise<void> {
    const attempts = attemptsOf(all)
    const last = attempts.at(-1)!
    const now = this.#clock()
    if (proof.kind === 'absent' && now - (last.sentAt ?? 0) >= this.#times.resendMs)
      await this.#send(pass, [{ withdrawal: row.withdrawal, n: last.n, raw: last.raw }])
    const planned = jobOf(row, all)
    if (planned !== undefined) return this.#sign(pass, [planned])
    if (row.retry_at > now) return
    if (proof.kind === 'impossible') return this.#afterDeath(pass, row, attempts)
    const slot = await pass.chain.bump(last, now - last.signedAt, isFirst)
    if (slot !== undefined) await this.#again(pass, row, slot, attempts)
  }

  /** None of its transactions can ever be in a block. Without a nonce, a new one is signed; a nonce that others used is an alarm. */
  async #afterDeath(pass: Pass, row: PayoutRow, attempts: readonly Attempt[]): Promise<void> {
    if (row.nonce !== null) throw new PayoutWaits('NONCE_FOREIGN')
    this.#checkToken(row)
    await pass.tables.bury(row.withdrawal)
    const slot = await pass.chain.slot(paymentOf(row), undefined)
    await coinsOf(pass.chain, paymentOf(row), slot, 0n)
    await this.#again(pass, row, slot, attempts)
  }

  /** Two members ended it, and the engine gave its word. The signer promises first that it never signs for it, which it refuses once it may have. */
  async #end(tables: PayoutTables, row: PayoutRow): Promise<void> {
    if (row.ending === null || (row.trouble === 'ALREADY_BOUND' && row.retry_at > this.#clock())) return
    await this.#options.signer.end(row.ending)
    await tables.refuse(row.withdrawal)
    await this.#step('settled', row.withdrawal)
    await this.#finish(tables, [{ ...row, fate: 'refused' }])
  }

  /** The core hears it before the rows end, and may hear it twice. */
  async #finish(tables: PayoutTables, rows: readonly PayoutRow[]): Promise<void> {
    const { finish } = this.#options
    for (let from = 0; from < rows.length; from += finishesAtOnce) {
      const some = rows.slice(from, from + finishesAtOnce)
      const answers = await Promise.allSettled(some.map(({ withdrawal, fate }) => finish(withdrawal, fate === 'paid')))
      const told = some.filter((_, place) => answers[place]!.status === 'fulfilled')
      for (const { withdrawal } of told) await this.#step('finished', withdrawal)
      await tables.done(told.map(({ withdrawal }) => withdrawal))
      for (const { withdrawal } of told) await this.#step('done', withdrawal)
      for (const [place, row] of some.entries()) {
        const answer = answers[place]!
        if (answer.status === 'rejected') await this.#guarded(tables, row, async () => waitFor('CORE_AWAY', answer.reason))
      }
    }
  }

  /** A payout that can't go on now keeps its place, and the others go on. */
  async #guarded(tables: PayoutTables, row: PayoutRow, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      // A refusal is over once the signer has signed.
      if (row.trouble !== null && row.refusals === 0 && row.retry_at <= this.#clock()) await tables.trouble(row.withdrawal, undefined, 0, 0)
    } catch (cause) {
      const isExpected = cause instanceof PayoutWaits || cause instanceof SignerRefused || cause instanceof NodeFault
      if (!isExpected) throw cause
      const reason = cause instanceof NodeFault ? 'NODE_FAULT' : cause.reason
      const isRefused = cause instanceof SignerRefused && isOfPayment(reason)
      const refusals = isRefused ? (row.trouble === reason ? row.refusals : 0) + 1 : 0
      await tables.trouble(row.withdrawal, reason, this.#clock() + pauseMs(this.#times, refusals), refusals)
    }
  }

  async #step(step: Step, withdrawal: number): Promise<void> {
    await this.#options.onStep?.(step, withdrawal)
  }
}

/** The attempt of a payout that is not signed yet, if there is one. */
function jobOf(row: PayoutRow, attempts: readonly AttemptRow[]): Job | undefined {
  const planned = attempts.find(({ raw, fate }) => raw === null && fate === 'open')
  const earlier = attemptsOf(attempts).map(({ txid }) => txid)
  return planned && { row, n: planned.n, slot: slotOf(planned.slot), earlier }
}

/** throws  PayoutWaits NO_EFFECT */
function settledOf(row: PayoutRow, proof: Settled['proof']): Settled & { readonly row: PayoutRow } {
  if (proof.isSuccess && proof.moved === 0n) throw new PayoutWaits('NO_EFFECT')
  return { row, withdrawal: row.withdrawal, fate: proof.isSuccess ? 'paid' : 'reverted', proof }
}

function waitFor(reason: Wait, cause: unknown): never {
  throw new PayoutWaits(reason, { cause })
}
