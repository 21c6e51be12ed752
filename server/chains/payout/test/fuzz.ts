/**
 * Payouts under kills at every step, reorganizations, fees that jump, and nodes that lie about what they took. What was paid is counted
 * by the token's logs: each withdrawal has an amount of its own.
 */
import { type ChainSigner, checked } from '../../signer/chain-signer.ts'
import { softSigner } from '../../signer/test/custody.ts'
import type { Payment } from '../../signer/statement.ts'
import { assembleEvm, buildEvm } from '../../evm/build.ts'
import { assembleTron, buildTron } from '../../tron/build.ts'
import type { PayoutChain } from '../chain.ts'
import { type PayoutOptions, type Step, steps } from '../options.ts'
import type { Payout } from '../payout.ts'
import type { FakeCore, Signing } from './people.ts'

/** Chance that gives the same numbers for the same seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to `bound` − 1. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

export type FuzzLab = {
  readonly core: FakeCore
  readonly signing: Signing
  readonly kind: 'evm' | 'tron'
  /** Blocks after which everything is final. */
  readonly finality: number
  payment(withdrawal: number): Payment
  approve(withdrawal: number): void
  chain(): PayoutChain
  payout(change: Partial<PayoutOptions>): Payout
  paid(): Promise<ReadonlyMap<bigint, number>>
  mine(blocks: number): Promise<void>
  /** Takes blocks back, and drops their transactions. */
  reorg(depth: number): Promise<void>
  /** A jump of fees, a fault of a node, a long time without room in blocks. */
  disturb(random: Random): Promise<void>
  /** Ends all faults. */
  calm(): Promise<void>
}

export type FuzzOptions = { readonly random: Random; readonly withdrawals: number; readonly signerKills?: number }

/** `at`: how often the process ended at each step. */
export type Tally = {
  readonly at: Record<Step, number>
  kills: number
  reorgs: number
  signerKills: number
  rounds: number
}
export type Verdict = { readonly twice: readonly number[]; readonly lost: readonly number[]; readonly foreign: number }

class Killed extends Error {}

const roundsMax = 3_000
const killOne = 12
const depthMax = 4

/** Pays all withdrawals under faults, and then without. throws  Error when not all end */
export async function fuzz(lab: FuzzLab, { random, withdrawals, signerKills = 1 }: FuzzOptions): Promise<Tally> {
  const tally: Tally = {
    ...{ at: Object.fromEntries(steps.map((step) => [step, 0])) as Record<Step, number> },
    ...{ kills: 0, reorgs: 0, signerKills: 0, rounds: 0 },
  }
  let approved = 0
  const wild = 3 * withdrawals
  for (; tally.rounds < roundsMax; tally.rounds++) {
    const isWild = tally.rounds < wild || approved < withdrawals
    if (!isWild && lab.core.ended.size === withdrawals) return tally
    for (let left = random.below(4); left > 0 && approved < withdrawals; left--) lab.approve(++approved)
    if (isWild) await unrest(lab, random, tally, signerKills, wild)
    else if (tally.rounds % 5 === 0) await lab.calm()
    await pass(lab, isWild ? random : undefined, tally)
    await lab.mine(isWild ? random.below(3) : 1 + (tally.rounds % 5 === 0 ? lab.finality : 0))
    if (lab.kind === 'tron') await lab.signing.beat()
  }
  throw new Error(`${withdrawals - lab.core.ended.size} withdrawals did not end`)
}

async function unrest(lab: FuzzLab, random: Random, tally: Tally, signerKills: number, wild: number): Promise<void> {
  if (random.below(3) === 0) await lab.disturb(random)
  if (random.below(3) === 0) {
    await lab.reorg(1 + random.below(depthMax))
    tally.reorgs++
  }
  if (tally.signerKills < signerKills && random.below(Math.ceil(wild / signerKills)) === 0) {
    await lab.signing.again()
    tally.signerKills++
  }
}

/** One pass of a process that may be killed at any step. The next pass is one of a new process. */
async function pass(lab: FuzzLab, random: Random | undefined, tally: Tally): Promise<void> {
  const onStep = (step: Step): void => {
    if (random === undefined || random.below(killOne) !== 0) return
    tally.at[step]++
    throw new Killed(step)
  }
  try {
    await lab.payout({ onStep, times: { resendMs: 0, retryMs: 0 } }).pass()
  } catch (cause) {
    if (!(cause instanceof Killed)) throw cause
    tally.kills++
    lab.signing.link[Symbol.dispose]()
  }
}

/** Withdrawals that were paid more than once or never, and payments that belong to none. Those that the core was told failed are neither. */
export async function verdictOf(lab: FuzzLab): Promise<Verdict> {
  const paid = new Map(await lab.paid())
  const twice: number[] = []
  const lost: number[] = []
  for (const { payment } of lab.core.approvals.values()) {
    const count = paid.get(payment.value) ?? 0
    paid.delete(payment.value)
    const wanted = lab.core.ended.get(payment.withdrawal) === false ? 0 : 1
    if (count > wanted) twice.push(payment.withdrawal)
    if (count < wanted) lost.push(payment.withdrawal)
  }
  return { twice, lost, foreign: paid.size }
}

/** What many do: a transaction that was not accepted is built anew. */
export async function naive(lab: FuzzLab, { random, withdrawals }: FuzzOptions): Promise<void> {
  const chain = lab.chain()
  const { custody } = lab.signing
  const key = softSigner(lab.kind === 'evm' ? custody.evmKey : custody.tronKey)
  for (let w = 1; w <= withdrawals; w++) lab.approve(w)
  let open = Array.from({ length: withdrawals }, (_, i) => i + 1)
  for (let round = 0; open.length > 0 && round < roundsMax; round++) {
    const refused: number[] = []
    for (const withdrawal of open) {
      if (random.below(3) === 0) await lab.disturb(random)
      const hint = await payAnew(lab, chain, key, lab.payment(withdrawal)).catch(() => 'no answer')
      if (hint !== 'accepted') refused.push(withdrawal)
      await lab.mine(random.below(2))
    }
    open = refused
  }
  await lab.calm()
  await lab.mine(lab.finality)
}

async function payAnew(lab: FuzzLab, chain: PayoutChain, key: ChainSigner, payment: Payment): Promise<string> {
  const slot = await chain.slot(payment, await chain.nonce())
  if (slot.kind === 'evm') {
    const unsigned = buildEvm(payment, slot)
    return chain.send(assembleEvm(unsigned, checked(unsigned.digest, await key.sign(unsigned), key.publicKey)).raw)
  }
  const unsigned = buildTron(payment, slot, lab.signing.custody.from('tron'))
  return chain.send(assembleTron(unsigned, checked(unsigned.digest, await key.sign(unsigned), key.publicKey)).raw)
}
