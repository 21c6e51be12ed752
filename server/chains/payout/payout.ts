/**
 * Approved withdrawals become transactions, each paid at most once. The rules: a slot is stored before the signer is asked for it; what
 * it signed is stored before it touches the network; a withdrawal keeps its nonce; a second transaction without a nonce needs the proof
 * that the first is dead; and only a final block says what became of them. What nodes answer to a broadcast decides nothing.
 */
import type { Clock } from '../../ports.ts'
import type pg from 'pg'
import { NodeFault } from '../rpc/json-rpc.ts'
import type { SignerLink } from '../signer/connect.ts'
import { SignerRefused } from '../signer/reasons.ts'
import { type PayoutChain, PayoutWaits, type Proof, type Wait } from './chain.ts'
import { isOfPayment } from './refused.ts'
import { type Approved, type Attempt, attemptsOf, paymentOf, type PayoutRow, slotOf } from './rows.ts'
import { PayoutTables } from './tables.ts'

/** Moments between which a process can end. Tests end it there. */
export const steps = ['taken', 'bound', 'planned', 'signed', 'stored', 'sent', 'noted', 'proved', 'settled', 'finished', 'done'] as const
export type Step = (typeof steps)[number]

export type PayoutOptions = {
  readonly pool: pg.Pool
  readonly network: string
  readonly chain: PayoutChain
  readonly signer: Pick<SignerLink, 'sign' | 'end'>
  /** Approved withdrawals of the network that the core has not ended. */
  readonly approved: () => Promise<readonly Approved[]>
  /** Tells the core what became of a withdrawal. Telling it twice changes nothing. */
  readonly finish: (withdrawal: number, isPaid: boolean) => Promise<void>
  /** The reconciliation's signature that these can never be in a block. It proves this by itself, and throws when it can't. */
  readonly signDead: (network: string, withdrawal: number, txids: readonly string[]) => Promise<string>
  /** Whether the contract of a token does what it should; undefined: not known yet. */
  readonly isTokenGood?: (contract: string | undefined) => boolean | undefined
  readonly onStep?: (step: Step, withdrawal: number) => void | Promise<void>
  readonly clock?: Clock
  readonly times?: Partial<PayoutTimes>
}

export type PayoutTimes = {
  /** A transaction in no block is handed to the nodes again after this. */
  readonly resendMs: number
  /** A payment that the signer refuses, or that would fail, is tried again after this. */
  readonly retryMs: number
  /** One that waits for operators: it goes on once they have signed, or after this, when the policy may ask for nobody any more. */
  readonly unsignedMs: number
}

const usualTimes: PayoutTimes = { resendMs: 15_000, retryMs: 30_000, unsignedMs: 600_000 }

/** Operators who sign above the limit of the signer's policy. */
const operatorsNeeded = 2

/** Payouts in blocks that are not final, beyond which no new ones begin. A deep reorganization brings them all back to the pools. */
const includedMax = 240

export class Payout {
  readonly #options: PayoutOptions
  readonly #clock: Clock
  readonly #times: PayoutTimes

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
    await this.#take(tables)
    const open = await tables.open()
    for (const row of open.filter(({ state }) => state === 'settled')) await this.#guarded(tables, row, () => this.#finish(tables, row))
    let isFirst = true
    let included = 0
    for (const row of open.filter(({ state }) => state === 'signed')) {
      const isIn = await this.#follow(tables, row, isFirst)
      isFirst = isIn && isFirst
      if (isIn && row.nonce !== null) included++
    }
    for (const row of open.filter(({ state }) => state === 'bound')) await this.#guarded(tables, row, () => this.#begin(tables, row))
    const taken = open.filter(({ state }) => state === 'taken')
    for (const row of taken.filter(({ is_ended: isEnded }) => isEnded)) await this.#guarded(tables, row, () => this.#end(tables, row))
    const going = taken.filter(({ is_ended: isEnded }) => !isEnded)
    await this.#start(tables, going, Math.min(included, includedMax))
  }

  async #take(tables: PayoutTables): Promise<void> {
    for (const each of await this.#options.approved()) {
      if (await tables.take(each)) await this.#step('taken', each.payment.withdrawal)
    }
  }

  /**
   * Begins payouts while there is room. Each is signed before the next gets a nonce: the signer wants them without gaps. `included`:
   * those whose nonce is used in a block that is not final: no node keeps them in its pool any more.
   */
  async #start(tables: PayoutTables, rows: readonly PayoutRow[], included: number): Promise<void> {
    for (const row of rows) {
      if (row.retry_at > this.#clock() && !(await this.#isNewlySigned(tables, row))) continue
      const { bound, inFlight, hasForeign } = await tables.load()
      if (bound > 0 || inFlight - included >= this.#options.chain.inFlightMax || hasForeign) return
      await this.#guarded(tables, row, async () => {
        this.#checkToken(row)
        await this.#begin(tables, row)
      })
    }
  }

  /** Whether it waited for operators, and enough of them have signed since. */
  async #isNewlySigned(tables: PayoutTables, { withdrawal, trouble }: PayoutRow): Promise<boolean> {
    return trouble === 'APPROVALS_MISSING' && (await tables.approvals(withdrawal)).length >= operatorsNeeded
  }

  /** Before anything is bound or signed. throws  PayoutWaits */
  #checkToken({ contract }: PayoutRow): void {
    const { isTokenGood = () => true } = this.#options
    const isGood = isTokenGood(contract ?? undefined)
    if (isGood !== true) throw new PayoutWaits(isGood === undefined ? 'TOKEN_UNKNOWN' : 'TOKEN_REFUSED')
  }

  /** From the approval to the first signed transaction, from wherever it stopped. */
  async #begin(tables: PayoutTables, row: PayoutRow): Promise<void> {
    const { chain } = this.#options
    const attempts = await tables.attempts(row.withdrawal)
    const planned = attempts.find(({ raw, fate }) => raw === null && fate === 'open')
    if (planned !== undefined) return this.#sign(tables, row, planned.n, slotOf(planned.slot))
    const payment = paymentOf(row)
    const underway = await tables.underway(row)
    if ((await chain.balance(payment.contract)) < payment.value + underway) throw new PayoutWaits('HOT_EMPTY')
    const nonce = await this.#nextNonce(tables)
    const slot = await chain.slot(payment, nonce)
    const n = await tables.bind(row.withdrawal, nonce, slot)
    await this.#step('bound', row.withdrawal)
    await this.#sign(tables, row, n, slot)
  }

  /** One above the highest that was bound. The chain is asked only for the first one. */
  async #nextNonce(tables: PayoutTables): Promise<number | undefined> {
    const last = await tables.lastNonce()
    return last === undefined ? this.#options.chain.nonce() : last + 1
  }

  async #plan(tables: PayoutTables, { withdrawal }: PayoutRow, slot: Attempt['slot']): Promise<number> {
    const n = await tables.plan(withdrawal, slot)
    await this.#step('planned', withdrawal)
    return n
  }

  /** Asks the signer. The same question again gets the same transaction, so a lost answer costs nothing. */
  async #sign(tables: PayoutTables, row: PayoutRow, n: number, slot: Attempt['slot']): Promise<void> {
    const { signer, network, signDead } = this.#options
    const { withdrawal, proofs } = row
    const payment = paymentOf(row)
    const earlier = attemptsOf(await tables.attempts(withdrawal)).map(({ txid }) => txid)
    const unproved = (cause: unknown): never => waitFor('DEAD_UNPROVED', cause)
    const dead =
      slot.kind === 'tron' && earlier.length > 0
        ? { dead: { txids: earlier, signature: await signDead(network, withdrawal, earlier).catch(unproved) } }
        : {}
    const signed = await signer
      .sign({
        ...{ payment: { ...payment, value: payment.value.toString() }, slot: wireSlot(slot), ...proofs, ...dead },
        approvals: await tables.approvals(withdrawal),
      })
      .catch(async (cause: unknown) => {
        if (cause instanceof SignerRefused && isOfPayment(cause.reason)) await tables.release(row, n)
        throw cause
      })
    await this.#step('signed', withdrawal)
    await tables.store(withdrawal, n, signed)
    await this.#step('stored', withdrawal)
    await this.#send(tables, withdrawal, { n, raw: signed.raw })
  }

  async #send(tables: PayoutTables, withdrawal: number, { n, raw }: Pick<Attempt, 'n' | 'raw'>): Promise<void> {
    const hint = await this.#options.chain.send(raw)
    await this.#step('sent', withdrawal)
    await tables.sent(withdrawal, n, hint)
    await this.#step('noted', withdrawal)
  }

  /**
   * Looks for what became of a signed payout, and sends, replaces or settles it.
   *
   * returns  whether the next one is the first of the line: this one is in a block
   */
  async #follow(tables: PayoutTables, row: PayoutRow, isFirst: boolean): Promise<boolean> {
    let isIn = false
    await this.#guarded(tables, row, async () => {
      const all = await tables.attempts(row.withdrawal)
      const attempts = attemptsOf(all)
      const proof = await this.#options.chain.prove(paymentOf(row), attempts)
      isIn = proof.kind === 'settled' || proof.kind === 'seen'
      if (proof.kind === 'settled') return this.#settle(tables, row, proof)
      if (proof.kind === 'seen') return
      const last = attempts.at(-1)!
      const now = this.#clock()
      if (proof.kind === 'absent' && now - (last.sentAt ?? 0) >= this.#times.resendMs) await this.#send(tables, row.withdrawal, last)
      const planned = all.find(({ raw, fate }) => raw === null && fate === 'open')
      if (planned !== undefined) return this.#sign(tables, row, planned.n, slotOf(planned.slot))
      if (row.retry_at > now) return
      if (proof.kind === 'impossible') return this.#afterDeath(tables, row)
      const slot = await this.#options.chain.bump(last, now - last.signedAt, isFirst)
      if (slot !== undefined) await this.#sign(tables, row, await this.#plan(tables, row, slot), slot)
    })
    return isIn
  }

  /** None of its transactions can ever be in a block. Without a nonce, a new one is signed; a nonce that others used is an alarm. */
  async #afterDeath(tables: PayoutTables, row: PayoutRow): Promise<void> {
    if (row.nonce !== null) throw new PayoutWaits('NONCE_FOREIGN')
    this.#checkToken(row)
    await tables.bury(row.withdrawal)
    const payment = paymentOf(row)
    const slot = await this.#options.chain.slot(payment, undefined)
    await this.#sign(tables, row, await this.#plan(tables, row, slot), slot)
  }

  async #settle(tables: PayoutTables, row: PayoutRow, proof: Extract<Proof, { kind: 'settled' }>): Promise<void> {
    if (proof.isSuccess && proof.moved === 0n) throw new PayoutWaits('NO_EFFECT')
    const fate = proof.isSuccess ? 'paid' : 'reverted'
    await this.#step('proved', row.withdrawal)
    await tables.settle(row.withdrawal, fate, proof)
    await this.#step('settled', row.withdrawal)
    await this.#finish(tables, { ...row, fate })
  }

  /** Two members ended it. The signer promises first that it never signs for it, which it refuses once it may have. */
  async #end(tables: PayoutTables, row: PayoutRow): Promise<void> {
    const { withdrawal, proofs } = row
    const payment = paymentOf(row)
    await this.#options.signer.end({ payment: { ...payment, value: payment.value.toString() }, engine: proofs.engine })
    await tables.refuse(withdrawal)
    await this.#step('settled', withdrawal)
    await this.#finish(tables, { withdrawal, fate: 'refused' })
  }

  /** The core hears it before the row ends, and may hear it twice. */
  async #finish(tables: PayoutTables, { withdrawal, fate }: Pick<PayoutRow, 'withdrawal' | 'fate'>): Promise<void> {
    await this.#options.finish(withdrawal, fate === 'paid').catch((cause: unknown) => waitFor('CORE_AWAY', cause))
    await this.#step('finished', withdrawal)
    await tables.done(withdrawal)
    await this.#step('done', withdrawal)
  }

  /** A payout that can't go on now keeps its place, and the others go on. */
  async #guarded(tables: PayoutTables, row: PayoutRow, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      if (row.trouble !== null && row.retry_at <= this.#clock()) await tables.trouble(row.withdrawal, undefined, 0)
    } catch (cause) {
      const isExpected = cause instanceof PayoutWaits || cause instanceof SignerRefused || cause instanceof NodeFault
      if (!isExpected) throw cause
      const reason = cause instanceof NodeFault ? 'NODE_FAULT' : cause.reason
      const afterMs = reason === 'APPROVALS_MISSING' ? this.#times.unsignedMs : this.#times.retryMs
      await tables.trouble(row.withdrawal, reason, this.#clock() + afterMs)
    }
  }

  async #step(step: Step, withdrawal: number): Promise<void> {
    await this.#options.onStep?.(step, withdrawal)
  }
}

function wireSlot(slot: Attempt['slot']) {
  if (slot.kind === 'tron') return slot
  return { ...slot, gas: slot.gas.toString(), maxFee: slot.maxFee.toString(), maxTip: slot.maxTip.toString() }
}

function waitFor(reason: Wait, cause: unknown): never {
  throw new PayoutWaits(reason, { cause })
}
