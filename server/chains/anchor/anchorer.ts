/**
 * Writes the newest head of the journal to a chain, once a day. The rules are those of payouts: a slot is stored before the signer is
 * asked for it, what it signed is stored before it touches the network, an anchor keeps its nonce, and only a final block ends it.
 */
import { anchorData } from '@candor/core/proof/chain/anchor.ts'
import { dayOf } from '@candor/core/proof/chain/possession.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { PayoutWaits, type Proof } from '../payout/chain.ts'
import type { EvmPayoutChain } from '../payout/evm/chain.ts'
import { type Attempt, slotOf } from '../payout/rows.ts'
import type { ChainReader, Intent, Slot } from '../ports.ts'
import { NodeFault } from '../rpc/json-rpc.ts'
import { slotJson } from '../signer/memory.ts'
import { type Reason, SignerRefused } from '../signer/reasons.ts'
import type { SignerDoor } from '../treasury/heartbeat.ts'
import { type AnchorRow, AnchorTables, signedOf } from './tables.ts'

/** Moments between which a process can end. Tests end it there. */
export const anchorSteps = ['planned', 'bound', 'signed', 'stored', 'sent', 'proved', 'settled'] as const
export type AnchorStep = (typeof anchorSteps)[number]

export type AnchorerOptions = {
  readonly pool: pg.Pool
  readonly network: string
  readonly chainId: number
  /** The address that writes heads, to itself. */
  readonly from: string
  readonly chain: EvmPayoutChain
  readonly reader: Pick<ChainReader, 'block'>
  readonly signer: SignerDoor
  readonly clock: Clock
  readonly onStep?: (step: AnchorStep) => void
  readonly times?: Partial<AnchorTimes>
}

type AnchorTimes = { readonly resendMs: number; readonly retryMs: number }
const usualTimes: AnchorTimes = { resendMs: 15_000, retryMs: 30_000 }

/** The signer refuses the slot, before it writes it down. */
const ofSlot: readonly Reason[] = ['FEE_TOO_HIGH', 'CAP_FEES', 'NONCE_TAKEN', 'NONCE_GAP', 'NOT_A_TRANSFER']

export class Anchorer {
  readonly #options: AnchorerOptions
  readonly #times: AnchorTimes

  constructor(options: AnchorerOptions) {
    this.#options = options
    this.#times = { ...usualTimes, ...options.times }
  }

  /** Moves the open anchor as far as it goes now, or plans that of the day. Of several processes one works on a network at a time. */
  async pass(): Promise<void> {
    const client = await this.#options.pool.connect()
    let isWell = false
    try {
      const tables = new AnchorTables(client, this.#options.network, this.#options.clock)
      if (await tables.lock()) {
        await this.#run(tables)
        await tables.unlock()
      }
      isWell = true
    } finally {
      // A connection that failed keeps no lock.
      client.release(!isWell)
    }
  }

  async #run(tables: AnchorTables): Promise<void> {
    const { clock } = this.#options
    const open = await tables.open()
    const day = dayOf(clock())
    if (open === undefined) {
      if (await tables.has(day)) return
      await tables.plan(day)
      this.#step('planned')
    }
    const row = open ?? (await tables.open())
    if (row === undefined || row.retry_at > clock()) return
    try {
      await this.#advance(tables, row)
    } catch (cause) {
      await this.#tell(tables, row, cause)
    }
  }

  /** The signer's word that nothing was and will be signed for this day ends it: the next day's anchor says more anyway. */
  async #tell(tables: AnchorTables, { day, state }: AnchorRow, cause: unknown): Promise<void> {
    if (cause instanceof SignerRefused && (cause.reason === 'DAY_WRONG' || cause.reason === 'DAY_TAKEN') && state !== 'signed')
      return tables.abandon(day, cause.reason)
    if (cause instanceof SignerRefused && ofSlot.includes(cause.reason)) await tables.unbind(day)
    const isExpected = cause instanceof PayoutWaits || cause instanceof SignerRefused || cause instanceof NodeFault
    if (!isExpected) throw cause
    await tables.trouble(day, cause instanceof NodeFault ? 'NODE_FAULT' : cause.reason, this.#options.clock() + this.#times.retryMs)
  }

  async #advance(tables: AnchorTables, row: AnchorRow): Promise<void> {
    if (row.state === 'planned') return this.#bind(tables, row)
    const attempts = await tables.attempts(row.day)
    const planned = attempts.find(({ raw }) => raw === null)
    if (row.state === 'bound' && planned !== undefined) return this.#sign(tables, row, planned.n, slotOf(planned.slot))
    await this.#follow(tables, row)
  }

  async #bind(tables: AnchorTables, row: AnchorRow): Promise<void> {
    const { chain, from } = this.#options
    const [last, next] = [await tables.lastNonce(), await chain.nonce()]
    const nonce = last === undefined ? next : Math.max(last + 1, next)
    const slot = await chain.slotOfCall({ to: from, data: anchorData({ n: row.head, hash: row.hash }) }, nonce)
    if ((await chain.balance(undefined)) < slot.gas * slot.maxFee) throw new PayoutWaits('HOT_EMPTY')
    const n = await tables.bind(row.day, nonce, slot)
    this.#step('bound')
    await this.#sign(tables, row, n, slot)
  }

  async #sign(tables: AnchorTables, { network, day, head, hash }: AnchorRow, n: number, slot: Slot): Promise<void> {
    const json = slotJson(slot)
    if (json.kind !== 'evm') throw new Error('Heads are written to EVM networks')
    const signed = await this.#options.signer.through((link) => link.anchor({ network, day, head: { n: head, hash }, slot: json }))
    this.#step('signed')
    await tables.store(day, n, signed)
    this.#step('stored')
    await this.#send(tables, day, { n, raw: signed.raw })
  }

  async #send(tables: AnchorTables, day: string, { n, raw }: Pick<Attempt, 'n' | 'raw'>): Promise<void> {
    const hint = await this.#options.chain.send(raw)
    this.#step('sent')
    await tables.sent(day, n, hint)
  }

  async #follow(tables: AnchorTables, row: AnchorRow): Promise<void> {
    const { chain, clock } = this.#options
    const all = await tables.attempts(row.day)
    const attempts = signedOf(all)
    const proof = await chain.prove(this.#intent(), attempts)
    if (proof.kind === 'settled') return this.#settle(tables, row, proof)
    if (proof.kind === 'seen') return
    const last = attempts.at(-1)!
    const now = clock()
    if (proof.kind === 'absent' && now - (last.sentAt ?? 0) >= this.#times.resendMs) await this.#send(tables, row.day, last)
    const planned = all.find(({ raw }) => raw === null)
    if (planned !== undefined) return this.#sign(tables, row, planned.n, slotOf(planned.slot))
    if (proof.kind === 'impossible') throw new PayoutWaits('NONCE_FOREIGN')
    const slot = await chain.bump(last, now - last.signedAt, true)
    if (slot !== undefined) await this.#sign(tables, row, await tables.replan(row.day, slot), slot)
  }

  async #settle(tables: AnchorTables, { day }: AnchorRow, proof: Extract<Proof, { kind: 'settled' }>): Promise<void> {
    this.#step('proved')
    const block = await this.#options.reader.block(proof.block)
    if (block === undefined) throw new PayoutWaits('NODE_FAULT')
    await tables.settle(day, proof, block.hash)
    this.#step('settled')
  }

  #intent(): Intent {
    const { network, chainId, from } = this.#options
    return { withdrawal: 0, network, chainId, to: from, value: 0n }
  }

  #step(step: AnchorStep): void {
    this.#options.onStep?.(step)
  }
}
