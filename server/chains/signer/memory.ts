/** What the signer remembers: its journal, read from the first line to the last. It has no other memory of payments. */
import type { Signed, Slot } from '../ports.ts'
import type { Line } from './journal.ts'
import type { Ending } from './statement.ts'

/** A slot as the journal writes it: amounts are text. */
export type SlotJson =
  | {
      readonly [Name in keyof Extract<Slot, { kind: 'evm' }>]: Extract<Slot, { kind: 'evm' }>[Name] extends bigint
        ? string
        : Extract<Slot, { kind: 'evm' }>[Name]
    }
  | Extract<Slot, { kind: 'tron' }>

/** The first slot of a withdrawal, from which on nothing about its payment changes, and all that the caps count. */
type Bound = {
  readonly kind: 'bound'
  readonly withdrawal: number
  readonly user: number
  readonly clientId: string
  readonly network: string
  readonly contract?: string
  readonly to: string
  readonly value: string
  /** Digest of the intent. */
  readonly intent: string
  /** Hundredths of a USDT. */
  readonly worth: number
  readonly isAttested: boolean
}

export type Entry =
  | Bound
  /** Written before the key is used. `fee`: what it may cost more than the earlier ones of the same nonce. */
  | { readonly kind: 'slot'; readonly withdrawal: number; readonly slot: SlotJson; readonly fee: string; readonly txid?: string }
  | {
      readonly kind: 'signed'
      readonly withdrawal: number
      readonly digest: string
      readonly r: string
      readonly raw: string
      readonly txid: string
    }
  /** A sweep or fuel, of which nothing changes from here on. `line`: two of one line are not under way together. `fuel`: in sun. */
  | {
      readonly kind: 'job'
      readonly job: number
      readonly network: string
      readonly digest: string
      readonly line: string
      readonly fuel: string
    }
  | { readonly kind: 'job.slot'; readonly job: number; readonly slot: SlotJson; readonly fee: string }
  | {
      readonly kind: 'job.signed'
      readonly job: number
      readonly digest: string
      readonly r: string
      readonly raw: string
      readonly txid: string
    }
  /** Nothing is ever signed for this withdrawal, nor for the customer's request of it. */
  | ({ readonly kind: 'ended' } & Ending)
  | { readonly kind: 'key.add'; readonly user: number; readonly id: string; readonly publicKey: string }
  | { readonly kind: 'key.remove'; readonly user: number; readonly id: string }
  /** A place of the network's deposit addresses belongs to this customer, for ever. */
  | { readonly kind: 'address'; readonly network: string; readonly place: number; readonly uid: string }
  /** The address says on this day that it is the exchange's, and names this head. */
  | {
      readonly kind: 'possession'
      readonly network: string
      readonly address: string
      readonly day: string
      readonly head: number
      readonly hash: string
      readonly isDeposit: boolean
    }
  | { readonly kind: 'possession.signed'; readonly digest: string; readonly r: string }
  /** The head that a day's transaction carries, and one of its slots. */
  | {
      readonly kind: 'anchor'
      readonly network: string
      readonly day: string
      readonly head: number
      readonly hash: string
      readonly slot: SlotJson
      readonly fee: string
    }
  | {
      readonly kind: 'anchor.signed'
      readonly network: string
      readonly day: string
      readonly digest: string
      readonly r: string
      readonly raw: string
      readonly txid: string
    }
  | { readonly kind: 'policy'; readonly version: number; readonly digest: string }
  | { readonly kind: 'halt'; readonly why: string }

type Attempt = { readonly slot: SlotJson; readonly txid: string | undefined; signed: Signed | undefined }
type Named = { readonly head: number; readonly hash: string }
type Job = Omit<Extract<Entry, { kind: 'job' }>, 'kind'> & { readonly attempts: Attempt[] }
type Withdrawal = Bound & { readonly attempts: Attempt[] }
export type KnownKey = { readonly user: number; readonly publicKey: string; readonly addedAt: number; removedAt: number | undefined }
type Spent = { readonly at: number; readonly network: string; readonly user: number; readonly worth: number; readonly isAttested: boolean }
type Fee = { readonly at: number; readonly network: string; readonly fee: bigint }

/** The nonces of an address. `isFirst`: none was used, and the policy does not say which is the first. */
export type Nonces = {
  readonly owner: (nonce: number) => number | undefined
  readonly next: number
  readonly isFirst: boolean
}

/** The name of the address that pays fees, beside the one that pays withdrawals under the network's own name. */
export const gasLine = (network: string): string => `${network} gas`

/** The name of the address whose transactions carry heads. */
export const anchorLine = (network: string): string => `${network} anchor`

/** A transaction of TRON is dead this long after its end. */
export const deadAfterMs = 120_000
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export class Memory {
  readonly withdrawals = new Map<number, Withdrawal>()
  readonly ended = new Set<number>()
  readonly jobs = new Map<number, Job>()
  readonly keys = new Map<string, KnownKey>()
  readonly #keysOf = new Map<number, KnownKey[]>()
  /** `network nonce` → withdrawal */
  readonly #nonces = new Map<string, number>()
  readonly #nextNonce = new Map<string, number>()
  /** Number of a transaction of TRON → withdrawal */
  readonly #txids = new Map<string, number>()
  /** `user clientId` → withdrawal */
  readonly #wishes = new Map<string, number>()
  /** `r` of each signature → the digest that it signed */
  readonly #rs = new Map<string, string>()
  /** `network place` → customer */
  readonly #places = new Map<string, string>()
  #spent: Spent[] = []
  #fees: Fee[] = []
  #fuel: Fee[] = []
  /** `network address day` → the head that it named */
  readonly #possessions = new Map<string, Named>()
  /** `network day` → how many deposit addresses said so */
  readonly #depositsSaid = new Map<string, number>()
  /** `network day` → its anchor */
  readonly #anchors = new Map<string, Named & { readonly attempts: Attempt[] }>()
  /** Line → end of its last transaction */
  readonly #lines = new Map<string, number>()
  lastAt = 0
  policy = 0
  policyDigest = ''
  isHalted = false

  take({ at, entry }: Line<Entry>): void {
    this.lastAt = Math.max(this.lastAt, at)
    if (entry.kind === 'bound') this.#bind(at, entry)
    else if (entry.kind === 'slot') this.#slot(at, entry)
    else if (entry.kind === 'signed') this.#signed(entry)
    else if (entry.kind === 'job') this.#job(at, entry)
    else if (entry.kind === 'job.slot') this.#jobSlot(at, entry)
    else if (entry.kind === 'job.signed') this.#jobSigned(entry)
    else if (entry.kind === 'possession') this.#possess(entry)
    else if (entry.kind === 'possession.signed') this.#rs.set(entry.r, entry.digest)
    else if (entry.kind === 'anchor') this.#anchor(at, entry)
    else if (entry.kind === 'anchor.signed') this.#anchorSigned(entry)
    else if (entry.kind === 'policy') [this.policy, this.policyDigest] = [entry.version, entry.digest]
    else if (entry.kind === 'halt') this.isHalted = true
    else if (entry.kind === 'address') this.#places.set(`${entry.network} ${entry.place}`, entry.uid)
    else if (entry.kind === 'key.add') this.#addKey(at, entry)
    else if (entry.kind === 'ended') this.#end(entry)
    else {
      const key = this.keys.get(entry.id)
      if (key) key.removedAt = at
    }
  }

  /** `line`: the name of the network, or its `gasLine`. `first`: the first nonce, if the policy says it. */
  nonces(line: string, first: number | undefined): Nonces {
    const next = this.#nextNonce.get(line)
    return {
      owner: (nonce) => this.#nonces.get(`${line} ${nonce}`),
      next: Math.max(next ?? 0, first ?? 0),
      isFirst: next === undefined && first === undefined,
    }
  }

  /** The withdrawal that was promised this transaction of TRON. */
  txidOwner(txid: string): number | undefined {
    return this.#txids.get(txid)
  }

  /** Whether no transaction of the line can be included any more. */
  isLineFree(line: string, now: number): boolean {
    return (this.#lines.get(line) ?? Number.NEGATIVE_INFINITY) + deadAfterMs < now
  }

  /** Sum of fuel since. */
  fuel(since: number, network: string): bigint {
    return this.#fuel.reduce((sum, each) => (each.at > since && each.network === network ? sum + each.fee : sum), 0n)
  }

  possessionOf(network: string, address: string, day: string): Named | undefined {
    return this.#possessions.get(`${network} ${address} ${day}`)
  }

  /** How many deposit addresses of a network have said on a day that they are the exchange's. */
  depositsSaid(network: string, day: string): number {
    return this.#depositsSaid.get(`${network} ${day}`) ?? 0
  }

  anchorOf(network: string, day: string): (Named & { readonly attempts: readonly Attempt[] }) | undefined {
    return this.#anchors.get(`${network} ${day}`)
  }

  /** The customer to whom a deposit address was given. */
  placeOwner(network: string, place: number): string | undefined {
    return this.#places.get(`${network} ${place}`)
  }

  wishOwner(user: number, clientId: string): number | undefined {
    return this.#wishes.get(`${user} ${clientId}`)
  }

  /** The digest that a signature with this `r` belongs to. A second one would reveal the key. */
  digestOf(r: string): string | undefined {
    return this.#rs.get(r)
  }

  /** Sum of the worth of payments after `since`: when they were bound, and on TRON again with each further transaction. */
  spent(since: number, counts: (payment: Spent) => boolean): number {
    return this.#spent.reduce((sum, each) => (each.at > since && counts(each) ? sum + each.worth : sum), 0)
  }

  fees(since: number, network: string): bigint {
    return this.#fees.reduce((sum, each) => (each.at > since && each.network === network ? sum + each.fee : sum), 0n)
  }

  keysOf(user: number): readonly KnownKey[] {
    return this.#keysOf.get(user) ?? []
  }

  #end({ withdrawal, user, clientId }: Extract<Entry, { kind: 'ended' }>): void {
    this.ended.add(withdrawal)
    if (clientId !== undefined && this.wishOwner(user, clientId) === undefined) this.#wishes.set(`${user} ${clientId}`, withdrawal)
  }

  #addKey(at: number, { id, user, publicKey }: Extract<Entry, { kind: 'key.add' }>): void {
    const key = { user, publicKey, addedAt: at, removedAt: undefined }
    this.keys.set(id, key)
    this.#keysOf.set(user, [...this.keysOf(user), key])
  }

  #bind(at: number, entry: Bound): void {
    this.withdrawals.set(entry.withdrawal, { ...entry, attempts: [] })
    this.#wishes.set(`${entry.user} ${entry.clientId}`, entry.withdrawal)
    this.#spend(at, entry)
  }

  #spend(at: number, { network, user, worth, isAttested }: Bound): void {
    this.#spent = [...this.#spent.filter((each) => each.at > this.lastAt - dayMs), { at, network, user, worth, isAttested }]
  }

  #slot(at: number, { withdrawal, slot, fee, txid }: Extract<Entry, { kind: 'slot' }>): void {
    const bound = this.withdrawals.get(withdrawal)
    if (!bound) return
    // Without a nonce, a second transaction may be a second payment, whatever was said of the first.
    if (slot.kind === 'tron' && bound.attempts.length > 0) this.#spend(at, bound)
    bound.attempts.push({ slot, txid, signed: undefined })
    if (txid !== undefined) this.#txids.set(txid, withdrawal)
    this.#place({ at, network: bound.network, fee: BigInt(fee) }, slot, withdrawal)
  }

  #place(fee: Fee, slot: SlotJson, owner: number): void {
    this.#fees = [...this.#fees.filter((each) => each.at > this.lastAt - dayMs), fee]
    if (slot.kind !== 'evm') return
    this.#nonces.set(`${fee.network} ${slot.nonce}`, owner)
    this.#nextNonce.set(fee.network, Math.max(this.#nextNonce.get(fee.network) ?? 0, slot.nonce + 1))
  }

  #job(at: number, { kind: _, ...job }: Extract<Entry, { kind: 'job' }>): void {
    this.jobs.set(job.job, { ...job, attempts: [] })
    const fuel = { at, network: job.network, fee: BigInt(job.fuel) }
    this.#fuel = [...this.#fuel.filter((each) => each.at > this.lastAt - dayMs), fuel]
  }

  #jobSlot(at: number, { job: number, slot, fee }: Extract<Entry, { kind: 'job.slot' }>): void {
    const job = this.jobs.get(number)
    if (!job) return
    job.attempts.push({ slot, txid: undefined, signed: undefined })
    this.#place({ at, network: gasLine(job.network), fee: BigInt(fee) }, slot, number)
    if (slot.kind === 'tron') this.#lines.set(job.line, slot.expiration)
  }

  #possess({ network, address, day, head, hash, isDeposit }: Extract<Entry, { kind: 'possession' }>): void {
    this.#possessions.set(`${network} ${address} ${day}`, { head, hash })
    if (isDeposit) this.#depositsSaid.set(`${network} ${day}`, this.depositsSaid(network, day) + 1)
  }

  #anchor(at: number, { network, day, head, hash, slot, fee }: Extract<Entry, { kind: 'anchor' }>): void {
    const known = this.#anchors.get(`${network} ${day}`) ?? { head, hash, attempts: [] }
    known.attempts.push({ slot, txid: undefined, signed: undefined })
    this.#anchors.set(`${network} ${day}`, known)
    this.#place({ at, network: anchorLine(network), fee: BigInt(fee) }, slot, Date.parse(day))
  }

  #anchorSigned({ network, day, digest, r, raw, txid }: Extract<Entry, { kind: 'anchor.signed' }>): void {
    this.#rs.set(r, digest)
    const attempt = this.#anchors.get(`${network} ${day}`)?.attempts.at(-1)
    if (attempt) attempt.signed = { raw, txid }
  }

  #jobSigned({ job, digest, r, raw, txid }: Extract<Entry, { kind: 'job.signed' }>): void {
    this.#rs.set(r, digest)
    const attempt = this.jobs.get(job)?.attempts.at(-1)
    if (attempt) attempt.signed = { raw, txid }
  }

  #signed({ withdrawal, digest, r, raw, txid }: Extract<Entry, { kind: 'signed' }>): void {
    this.#rs.set(r, digest)
    const attempt = this.withdrawals.get(withdrawal)?.attempts.at(-1)
    if (attempt) attempt.signed = { raw, txid }
  }
}

/** Whether two slots are the same in every field. */
export function isSameSlot(a: SlotJson, b: SlotJson): boolean {
  const text = (slot: SlotJson): string => JSON.stringify(Object.entries(slot).sort(([x], [y]) => (x < y ? -1 : 1)))
  return text(a) === text(b)
}

export function slotJson(slot: Slot): SlotJson {
  if (slot.kind === 'tron') return slot
  return { ...slot, gas: slot.gas.toString(), maxFee: slot.maxFee.toString(), maxTip: slot.maxTip.toString() }
}
