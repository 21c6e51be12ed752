/**
 * The signer: the last place that says no. It trusts neither the database nor the network nor the program that asks, but the signatures
 * of the engine, the customer, the operators and the reconciliation, its policy, and its own journal.
 */
import { assembleEvm, buildEvm } from '../evm/build.ts'
import type { NetworkKind, Signed } from '../ports.ts'
import { assembleTron, buildTron } from '../tron/build.ts'
import type { Signature, Unsigned } from '../unsigned.ts'
import { addressOfKey, type ChainSigner, checked } from './chain-signer.ts'
import type { DepositKeys } from './file-signer.ts'
import { Anchors } from './heads/anchors.ts'
import { Journal } from './journal.ts'
import { dayMs, type Entry, hourMs, isSameSlot, Memory, slotJson } from './memory.ts'
import { allowedBy, canonicalAddress, type NetworkPolicy, type Policy, worthOf } from './policy.ts'
import { Possessions, type UsedMessage } from './heads/possessions.ts'
import { checkCustomer, countApprovals } from './proofs.ts'
import { CustodyFault, type Reason, SignerRefused } from './reasons.ts'
import { checkSlot } from './slots.ts'
import {
  ed25519Key,
  endingDigest,
  type Heartbeat,
  heartbeatDigest,
  intentDigest,
  isSignedBy,
  keyDigest,
  keyRemovalDigest,
} from './statement.ts'
import { type SweepParts, Sweeps, type UsedKey } from './sweeps.ts'
import { Wallet } from './wallet.ts'
import type { Answer, HeartbeatRequest, IssuedAddress, JobRequest, Request, SignAnswer, SignRequest, Status } from './wire.ts'

/** Without a statement about the books in this time nothing is signed. */
const heartbeatMaxMs = 600_000
/** How far clocks of two machines may be apart. */
const skewMs = 30_000
/** Clocks are set back by less than this in normal operation. */
const clockBackMs = 5_000

/** What another policy than the one of before may refuse. */
const ofPolicy: readonly Reason[] = [
  'NETWORK_UNKNOWN',
  'CHAIN_WRONG',
  'CONTRACT_UNKNOWN',
  'DESTINATION_DENIED',
  'ENGINE_SIGNATURE',
  'FEE_TOO_HIGH',
]

export type SignerParts = {
  readonly folder: string
  readonly journalKey: Buffer
  /** The key that signs deposit addresses. */
  readonly walletSeed: Uint8Array
  readonly policy: Policy
  /** Digest of the policy's text, for the journal. */
  readonly policyDigest: string
  /** By name of the network. */
  readonly keys: ReadonlyMap<string, ChainSigner>
  /** Keys of the addresses that pay fees, and of TRON's deposit addresses, by name of the network. */
  readonly gas?: ReadonlyMap<string, ChainSigner>
  readonly deposits?: ReadonlyMap<string, DepositKeys>
  /** Keys of the addresses that write heads, by name of the network. */
  readonly anchors?: ReadonlyMap<string, ChainSigner>
  readonly clock?: () => number
  /** Told when the signer stops for good. */
  readonly onAlarm?: (why: string) => void
}

export class Signer implements Disposable {
  readonly #parts: SignerParts
  readonly #memory = new Memory()
  readonly #journal: Journal<Entry>
  readonly #clock: () => number
  readonly #wallet: Wallet
  readonly #sweeps: Sweeps
  readonly #possessions: Possessions
  readonly #anchors: Anchors
  /** An earlier statement may be one that a newer one contradicted before the restart. */
  readonly #startedAt: number
  #heartbeat: Heartbeat | undefined

  /** throws  CustodyFault when journal, policy and keys do not belong together */
  constructor(parts: SignerParts) {
    const { folder, journalKey, policy, policyDigest, keys } = parts
    this.#parts = parts
    this.#clock = parts.clock ?? Date.now
    this.#startedAt = this.#clock()
    this.#wallet = new Wallet(parts.walletSeed, policy.networks)
    for (const { name, kind, from } of policy.networks) {
      const key = keys.get(name)
      if (key === undefined) throw new CustodyFault(`There is no key for ${name}`)
      if (addressOfKey(kind, key.publicKey) !== canonicalAddress(kind, from))
        throw new CustodyFault(`The key for ${name} is not the one of ${from}`)
    }
    const held = { policy, memory: this.#memory, gas: parts.gas ?? new Map(), deposits: parts.deposits ?? new Map() }
    const write = (entry: Entry): void => this.#write(entry)
    const use: SweepParts['use'] = (key, keyName, kind, unsigned) => this.#use(key, keyName, kind, unsigned)
    this.#sweeps = new Sweeps({ ...held, wallet: this.#wallet, write, use })
    this.#anchors = new Anchors({ policy, memory: this.#memory, keys: parts.anchors ?? new Map(), write, use })
    this.#possessions = new Possessions({ ...held, keys, write, use: (key, keyName, unsigned) => this.#checkedUse(key, keyName, unsigned) })
    this.#journal = new Journal<Entry>(folder, journalKey, (line) => this.#memory.take(line))
    try {
      if (policy.version < this.#memory.policy)
        throw new CustodyFault(`The policy is older than number ${this.#memory.policy}, which was in force`)
      if (policy.version > this.#memory.policy) this.#write({ kind: 'policy', version: policy.version, digest: policyDigest })
      else if (policyDigest !== this.#memory.policyDigest) throw new CustodyFault('Another policy with the same number was in force')
    } catch (cause) {
      this.#journal[Symbol.dispose]()
      throw cause
    }
  }

  /** One request at a time: the caller waits for each answer. */
  async answer(request: Request): Promise<Answer> {
    try {
      if (request.kind === 'status') return { ok: true, status: this.#status() }
      this.#checkState()
      if (request.kind === 'address.issue') return { ok: true, issued: this.#issue(request) }
      if (request.kind === 'sign') return (await this.#signAll([request]))[0]!
      if (request.kind === 'sign.all') return { ok: true, all: await this.#signAll(request.requests) }
      if (request.kind === 'sweep' || request.kind === 'fuel') return { ok: true, signed: await this.#sweep(request) }
      if (request.kind === 'possess') return { ok: true, possessed: await this.#possessions.sign(request, this.#clock()) }
      if (request.kind === 'anchor') return { ok: true, signed: await this.#anchors.sign(request, this.#clock()) }
      if (request.kind === 'heartbeat') this.#beat(request)
      else if (request.kind === 'end') this.#end(request)
      else if (request.kind === 'key.add') this.#addKey(request)
      else this.#removeKey(request)
      return { ok: true }
    } catch (cause) {
      if (cause instanceof SignerRefused) return { ok: false, reason: cause.reason }
      throw cause
    }
  }

  [Symbol.dispose](): void {
    this.#journal[Symbol.dispose]()
    const { keys, gas, deposits, anchors } = this.#parts
    for (const held of [keys, gas, deposits, anchors]) for (const key of held?.values() ?? []) key[Symbol.dispose]()
  }

  #status(): Status {
    const { policy, keys } = this.#parts
    const { seq, mac } = this.#journal.head
    const addresses = policy.networks.map(({ name, kind }) => [name, addressOfKey(kind, keys.get(name)?.publicKey ?? new Uint8Array())])
    return {
      ...{ isHalted: this.#memory.isHalted, seq, head: mac, policy: policy.version },
      ...{ matchedAt: this.#heartbeat?.isMatch ? this.#heartbeat.at : undefined, addresses: Object.fromEntries(addresses) },
      operators: policy.operators.flatMap(({ name, keys }) =>
        keys.map((key) => ({ operator: name, key: key.kind === 'passkey' ? key.id : key.publicKey })),
      ),
      walletKey: this.#wallet.publicKey,
    }
  }

  #checkState(): void {
    if (this.#memory.isHalted) throw new SignerRefused('HALTED')
    if (this.#journal.isBroken) throw new SignerRefused('JOURNAL_FAILED')
    if (this.#clock() < this.#memory.lastAt - clockBackMs) throw new SignerRefused('CLOCK_BACK')
  }

  #beat({ heartbeat, signature }: HeartbeatRequest): void {
    const { policy } = this.#parts
    if (!isSignedBy(ed25519Key(policy.reconciliation), heartbeatDigest(heartbeat), signature))
      throw new SignerRefused('HEARTBEAT_SIGNATURE')
    const now = this.#clock()
    const isInTime = heartbeat.at > now - heartbeatMaxMs && heartbeat.at <= now + skewMs && heartbeat.at >= this.#startedAt
    if (!isInTime || heartbeat.at <= (this.#heartbeat?.at ?? 0)) throw new SignerRefused('HEARTBEAT_STALE')
    // A copy of an old journal knows less than the reconciliation saw.
    if (this.#journal.macOf(heartbeat.seq) !== heartbeat.head) throw new SignerRefused('JOURNAL_BEHIND')
    this.#heartbeat = heartbeat
  }

  /** A place belongs to the first customer for whom it was asked: nobody else's deposits go to their account. */
  #issue({ network, place, uid }: Extract<Request, { kind: 'address.issue' }>): IssuedAddress {
    const issued = this.#wallet.issue({ network, place, uid })
    const owner = this.#memory.placeOwner(network, place)
    if (owner === undefined) this.#write({ kind: 'address', network, place, uid })
    else if (owner !== uid) throw new SignerRefused('PLACE_TAKEN')
    return issued
  }

  #checkHeartbeat(now: number): number {
    const { at, isMatch } = this.#heartbeat ?? { at: 0, isMatch: true }
    if (!isMatch) throw new SignerRefused('BOOKS_DIFFER')
    if (at <= now - heartbeatMaxMs) throw new SignerRefused('HEARTBEAT_STALE')
    return at
  }

  #addKey({ user, id, publicKey, engine }: Extract<Request, { kind: 'key.add' }>): void {
    this.#checkEngine(keyDigest(user, id, publicKey), engine)
    if (this.#memory.keys.has(id)) throw new SignerRefused('KEY_KNOWN')
    this.#write({ kind: 'key.add', user, id, publicKey })
  }

  #removeKey({ user, id, engine }: Extract<Request, { kind: 'key.remove' }>): void {
    this.#checkEngine(keyRemovalDigest(user, id), engine)
    const key = this.#memory.keys.get(id)
    if (key?.user !== user) throw new SignerRefused('CUSTOMER_KEY')
    if (key.removedAt === undefined) this.#write({ kind: 'key.remove', user, id })
  }

  /**
   * What may have a signature can't be ended: its transaction may be on its way. An older copy of the journal would not know of it, so that
   * this needs the statement about the books, too.
   */
  #end({ ending, engine }: Extract<Request, { kind: 'end' }>): void {
    this.#checkEngine(endingDigest(ending), engine)
    const { withdrawal } = ending
    if (this.#memory.withdrawals.has(withdrawal)) throw new SignerRefused('ALREADY_BOUND')
    if (this.#memory.ended.has(withdrawal)) return
    this.#checkHeartbeat(this.#clock())
    this.#write({ kind: 'ended', ...ending })
  }

  /** Payments of different withdrawals, in their order. Their places are on disk before a key is used, all that was signed before it leaves. */
  async #signAll(requests: readonly SignRequest[]): Promise<readonly SignAnswer[]> {
    const placed: (Placed | SignAnswer)[] = []
    for (const request of requests)
      placed.push(await answered(() => this.#place(request).catch((cause: unknown) => this.#keep(request, cause))))
    this.#journal.commit()
    const answers: SignAnswer[] = []
    for (const each of placed) answers.push('ok' in each ? each : await answered(() => this.#signPlaced(each)))
    this.#journal.commit()
    return answers
  }

  /** Where the policy speaks against a place that was given out and not signed for yet, the payment keeps it: no other gets its nonce. */
  #keep({ payment, slot }: SignRequest, cause: unknown): never {
    const attempts = this.#memory.withdrawals.get(payment.withdrawal)?.attempts ?? []
    const isOpen = attempts.some((attempt) => attempt.signed === undefined && isSameSlot(attempt.slot, slotJson(slot)))
    if (isOpen && cause instanceof SignerRefused && ofPolicy.includes(cause.reason)) throw new SignerRefused('ALREADY_BOUND', { cause })
    throw cause
  }

  /** Gives a payment its place, if nothing speaks against it. What was signed once may be read again. throws  SignerRefused */
  async #place(request: SignRequest): Promise<Placed | SignAnswer> {
    const { policy } = this.#parts
    const { payment, slot } = request
    const now = this.#clock()
    const { network, token } = allowedBy(policy, payment)
    const intent = intentDigest(payment)
    this.#checkEngine(intent, request.engine)
    if (this.#memory.ended.has(payment.withdrawal)) throw new SignerRefused('ENDED')
    const known = this.#memory.withdrawals.get(payment.withdrawal)
    if (known !== undefined && known.intent !== intent.toString('hex')) throw new SignerRefused('INTENT_CHANGED')
    if ((this.#memory.wishOwner(payment.user, payment.clientId) ?? payment.withdrawal) !== payment.withdrawal)
      throw new SignerRefused('PROOF_USED')
    const again = known?.attempts.find((attempt) => isSameSlot(attempt.slot, slotJson(slot)))
    // Also while the books differ: it may be on its way already.
    if (again?.signed !== undefined) return { ok: true, signed: again.signed }

    const matchedAt = this.#checkHeartbeat(now)
    const worth = worthOf(payment.value, token)
    const isAttested = known?.isAttested ?? (await this.#checkProofs(request, worth, now))
    const isSecond = slot.kind === 'tron' && again === undefined && known !== undefined && known.attempts.length > 0
    // Before the slot: of several that are above a cap, each hears so at once, and not only the first one before a gap of nonces.
    if (known === undefined || isSecond) this.#checkCaps(network, payment.user, Number(worth), isAttested, now)
    const fee = checkSlot(request, { memory: this.#memory, network, now, matchedAt, reconciliation: policy.reconciliation })
    if (this.#memory.fees(now - dayMs, network.name) + fee > network.feeDay) throw new SignerRefused('CAP_FEES')
    const unsigned = build(request, network)
    const txid = slot.kind === 'tron' ? { txid: Buffer.from(unsigned.digest).toString('hex') } : {}
    // Without a nonce, two equal payments in one slot are one transaction: one of the two would never be paid.
    if (txid.txid !== undefined && (this.#memory.txidOwner(txid.txid) ?? payment.withdrawal) !== payment.withdrawal)
      throw new SignerRefused('SLOT_TAKEN')

    const { withdrawal, value, ...rest } = payment
    const { user, clientId, to, contract } = rest
    if (known === undefined) {
      const bound = { withdrawal, user, clientId, network: network.name, to, ...(contract === undefined ? {} : { contract }) }
      this.#add({ kind: 'bound', ...bound, value: value.toString(), intent: intent.toString('hex'), worth: Number(worth), isAttested })
    }
    if (again === undefined) this.#add({ kind: 'slot', withdrawal, slot: slotJson(slot), fee: fee.toString(), ...txid })
    return { withdrawal, network, unsigned }
  }

  async #signPlaced({ withdrawal, network, unsigned }: Placed): Promise<SignAnswer> {
    if (this.#memory.isHalted) throw new SignerRefused('HALTED')
    const signed = await this.#use(this.#parts.keys.get(network.name), network.name, network.kind, unsigned)
    this.#add({ kind: 'signed', withdrawal, ...signed })
    return { ok: true, signed: { raw: signed.raw, txid: signed.txid } }
  }

  #sweep(request: JobRequest): Promise<Signed> {
    const now = this.#clock()
    return this.#sweeps.sign(request, now, () => void this.#checkHeartbeat(now))
  }

  /** Whether the login vouches for the customer. */
  async #checkProofs(request: SignRequest, worth: bigint, now: number): Promise<boolean> {
    const { policy } = this.#parts
    const { isAttested } = await checkCustomer(request, policy, this.#memory, now)
    const approvals = await countApprovals(request, policy)
    if (worth > BigInt(policy.approvalAbove) && approvals < 2) throw new SignerRefused('APPROVALS_MISSING')
    if (worth > BigInt(Number.MAX_SAFE_INTEGER)) throw new SignerRefused('CAP_PAYMENT')
    return isAttested
  }

  #checkCaps(network: NetworkPolicy, user: number, worth: number, isAttested: boolean, now: number): void {
    const { caps, attested } = this.#parts.policy
    const sum = (spanMs: number, counts: Parameters<Memory['spent']>[1]): number => this.#memory.spent(now - spanMs, counts) + worth
    const here = (each: { readonly network: string }): boolean => each.network === network.name
    const all = (): boolean => true
    if (worth > network.caps.payment) throw new SignerRefused('CAP_PAYMENT')
    if (sum(hourMs, here) > network.caps.hour || sum(hourMs, all) > caps.hour) throw new SignerRefused('CAP_HOUR')
    if (sum(dayMs, here) > network.caps.day || sum(dayMs, all) > caps.day) throw new SignerRefused('CAP_DAY')
    if (sum(dayMs, (each) => each.user === user) > caps.userDay) throw new SignerRefused('CAP_USER')
    if (!isAttested) return
    const isWithout = sum(dayMs, (each) => each.isAttested) > attested.day
    const isUserAbove = sum(dayMs, (each) => each.isAttested && each.user === user) > attested.userDay
    if (worth > attested.payment || isUserAbove || isWithout) throw new SignerRefused('CAP_ATTESTED')
  }

  async #use(key: ChainSigner | undefined, name: string, kind: NetworkKind, unsigned: Unsigned): Promise<UsedKey> {
    const { digest, r, signature } = await this.#checkedUse(key, name, unsigned)
    const signed = kind === 'evm' ? assembleEvm(unsigned, signature) : assembleTron(unsigned, signature)
    return { digest, r, ...signed }
  }

  async #checkedUse(key: ChainSigner | undefined, name: string, unsigned: Unsigned): Promise<UsedMessage> {
    const signature = await signatureOf(key, name, unsigned)
    const digest = Buffer.from(unsigned.digest).toString('hex')
    const r = signature.r.toString(16)
    if ((this.#memory.digestOf(r) ?? digest) !== digest) {
      // Two signatures with one r give the key away to everybody who sees both.
      const why = `the key of ${name} repeated a nonce`
      this.#write({ kind: 'halt', why })
      this.#parts.onAlarm?.(why)
      throw new SignerRefused('HALTED')
    }
    return { digest, r, signature }
  }

  #checkEngine(digest: Buffer, signature: string): void {
    if (!isSignedBy(ed25519Key(this.#parts.policy.engine), digest, signature)) throw new SignerRefused('ENGINE_SIGNATURE')
  }

  /** On disk when it returns. */
  #write(entry: Entry): void {
    this.#add(entry)
    this.#journal.commit()
  }

  /** On disk with the next commit. */
  #add(entry: Entry): void {
    this.#memory.take(this.#journal.add(Math.max(this.#clock(), this.#memory.lastAt), entry))
  }
}

/** A payment whose place is in the journal. */
type Placed = { readonly withdrawal: number; readonly network: NetworkPolicy; readonly unsigned: Unsigned }

/** A refusal as an answer: the others of the same request are not concerned. */
async function answered<Result>(work: () => Promise<Result>): Promise<Result | SignAnswer> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof SignerRefused) return { ok: false, reason: cause.reason }
    throw cause
  }
}

/** Builds the transaction of a request, and compares what it does with what was asked for. throws  SignerRefused NOT_A_TRANSFER */
function build({ payment, slot }: SignRequest, network: NetworkPolicy): Unsigned {
  try {
    return slot.kind === 'evm' ? buildEvm(payment, slot) : buildTron(payment, slot, network.from)
  } catch (cause) {
    throw new SignerRefused('NOT_A_TRANSFER', { cause })
  }
}

async function signatureOf(key: ChainSigner | undefined, name: string, unsigned: Unsigned): Promise<Signature> {
  try {
    if (key === undefined) throw new CustodyFault(`There is no key for ${name}`)
    return checked(unsigned.digest, await key.sign(unsigned), key.publicKey)
  } catch (cause) {
    throw new SignerRefused('KEY_FAILED', { cause })
  }
}
