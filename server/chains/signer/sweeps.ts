/**
 * Sweeps and fuel: the other two kinds of transactions that the signer makes. A sweep moves what customers sent from deposit addresses
 * to the sink that the policy names; fuel gives a deposit address of TRON the coins that its sweep costs. Neither leaves the
 * exchange's own addresses, so no customer has to agree; the caps of fees limit what a thief could burn.
 */
import { createHash } from 'node:crypto'
import { buildFlush } from '../evm/flush.ts'
import type { NetworkKind, Signed } from '../ports.ts'
import { buildTron } from '../tron/build.ts'
import type { Unsigned } from '../unsigned.ts'
import type { ChainSigner } from './chain-signer.ts'
import type { DepositKeys } from './file-signer.ts'
import { dayMs, type Entry, gasLine, isSameSlot, type Memory, slotJson } from './memory.ts'
import { canonicalAddress, type NetworkPolicy, type Policy } from './policy.ts'
import { CustodyFault, SignerRefused } from './reasons.ts'
import { checkTimes, feeOfNonce } from './slots.ts'
import type { Wallet } from './wallet.ts'
import type { JobRequest } from './wire.ts'

export type SweepParts = {
  readonly policy: Policy
  readonly memory: Memory
  readonly wallet: Wallet
  /** Keys that pay network fees, and those of TRON's deposit addresses, by name of the network. */
  readonly gas: ReadonlyMap<string, ChainSigner>
  readonly deposits: ReadonlyMap<string, DepositKeys>
  readonly write: (entry: Entry) => void
  /** Signs, and keeps the signature out of hand when the key repeated itself. */
  readonly use: (key: ChainSigner | undefined, name: string, kind: NetworkKind, unsigned: Unsigned) => Promise<UsedKey>
}

export type UsedKey = Signed & { readonly digest: string; readonly r: string }

/** What a job is once the policy has been looked at. */
type Job = {
  readonly network: NetworkPolicy
  readonly digest: string
  readonly key: ChainSigner | undefined
  readonly keyName: string
  /** Most that the network may take for it. */
  readonly fee: bigint
  /** Sun that leave the gas address besides. */
  readonly fuel: bigint
  /** Two of one line are not under way together on TRON. */
  readonly line: string
  readonly build: () => Unsigned
}

export class Sweeps {
  readonly #parts: SweepParts

  constructor(parts: SweepParts) {
    this.#parts = parts
  }

  /**
   * Signs a job's transaction; the same request gives the same one again.
   *
   * matched  throws unless books and chain matched a short time ago
   * throws   SignerRefused
   */
  async sign(request: JobRequest, now: number, matched: () => void): Promise<Signed> {
    const { memory, write, use } = this.#parts
    const { job, slot } = request
    const planned = this.#jobOf(request)
    const { network, digest, line } = planned
    const known = memory.jobs.get(job)
    if (known !== undefined && known.digest !== digest) throw new SignerRefused('JOB_CHANGED')
    const again = known?.attempts.find((attempt) => isSameSlot(attempt.slot, slotJson(slot)))
    if (again?.signed !== undefined) return again.signed
    matched()
    const more = again === undefined ? this.#checkSlot(request, planned, now) : 0n
    const unsigned = built(planned)
    const { name } = network
    if (known === undefined) write({ kind: 'job', job, network: name, digest, line, fuel: planned.fuel.toString() })
    if (again === undefined) write({ kind: 'job.slot', job, slot: slotJson(slot), fee: more.toString() })
    const signed = await use(planned.key, planned.keyName, network.kind, unsigned)
    write({ kind: 'job.signed', job, ...signed })
    return { raw: signed.raw, txid: signed.txid }
  }

  /** What the transaction may cost more than earlier ones of the job. throws  SignerRefused */
  #checkSlot({ job, slot }: JobRequest, { network, fee, fuel, line }: Job, now: number): bigint {
    const { memory } = this.#parts
    const feeMax = network.sweepFeeMax ?? network.feeMax
    const known = memory.jobs.get(job)
    let more = fee
    if (slot.kind === 'evm')
      more = feeOfNonce(slot, known?.attempts.at(-1)?.slot, memory.nonces(gasLine(network.name), network.gasFirstNonce), feeMax)
    else {
      if (fee > feeMax) throw new SignerRefused('FEE_TOO_HIGH')
      // There is no nonce that binds two transactions of a job to each other: each job has one.
      if (known !== undefined && known.attempts.length > 0) throw new SignerRefused('JOB_CHANGED')
      checkTimes(slot, now)
      if (!memory.isLineFree(line, now)) throw new SignerRefused('NOT_DEAD')
    }
    if (memory.fees(now - dayMs, gasLine(network.name)) + more > (network.sweepFeeDay ?? network.feeDay))
      throw new SignerRefused('CAP_FEES')
    if (fuel > (network.fuelMax ?? network.feeMax)) throw new SignerRefused('CAP_FUEL')
    if (fuel > 0n && memory.fuel(now - dayMs, network.name) + fuel > (network.fuelDay ?? network.feeDay))
      throw new SignerRefused('CAP_FUEL')
    return more
  }

  #jobOf(request: JobRequest): Job {
    const network = this.#parts.policy.networks.find(({ name }) => name === request.network)
    if (network === undefined) throw new SignerRefused('NETWORK_UNKNOWN')
    if (request.slot.kind !== network.kind) throw new SignerRefused('SLOT_WRONG')
    if (request.kind === 'fuel') return this.#fuel(request, network)
    return network.kind === 'evm' ? this.#flush(request, network) : this.#collect(request, network)
  }

  #flush(request: SweepRequest, network: NetworkPolicy): Job {
    const { slot, places, value } = request
    const { deposits, chainId } = network
    if (deposits === undefined || !('factory' in deposits) || slot.kind !== 'evm') throw new SignerRefused('NO_ADDRESSES')
    const contract = request.contract === undefined ? undefined : listed(network, request.contract)
    if (value !== undefined) throw new SignerRefused('SWEEP_WRONG')
    const flush = { chainId, factory: deposits.factory, ...(contract === undefined ? {} : { contract }), places }
    return {
      ...{ network, digest: digestOf(request), fee: slot.gas * slot.maxFee, fuel: 0n, line: '' },
      ...{ key: this.#parts.gas.get(network.name), keyName: gasLine(network.name), build: () => buildFlush(flush, slot) },
    }
  }

  /** A deposit address of TRON pays what customers sent of a token or the native coin to the sink, and to nobody else. */
  #collect(request: SweepRequest, network: NetworkPolicy): Job {
    const { slot, places, value } = request
    const [place] = places
    const { sink, chainId, name } = network
    if (network.deposits === undefined || sink === undefined || slot.kind !== 'tron') throw new SignerRefused('NO_ADDRESSES')
    if (place === undefined || places.length > 1 || value === undefined) throw new SignerRefused('SWEEP_WRONG')
    const contract = request.contract === undefined ? undefined : listed(network, request.contract)
    const intent = { withdrawal: 0, network: name, chainId, to: sink, value, ...(contract === undefined ? {} : { contract }) }
    return {
      ...{ network, digest: digestOf(request), fee: BigInt(slot.feeLimit), fuel: 0n, line: `${name} sweep ${place} ${contract ?? ''}` },
      ...{ key: this.#parts.deposits.get(name)?.at(place), keyName: `${name} deposit` },
      build: () => buildTron(intent, slot, this.#parts.wallet.at(name, place)),
    }
  }

  #fuel(request: FuelRequest, network: NetworkPolicy): Job {
    const { slot, place, value } = request
    const { gas, chainId, name } = network
    if (network.deposits === undefined || gas === undefined || slot.kind !== 'tron') throw new SignerRefused('NO_ADDRESSES')
    const intent = { withdrawal: 0, network: name, chainId, to: this.#parts.wallet.at(name, place), value }
    return {
      ...{ network, digest: digestOf(request), fee: 0n, fuel: value, line: `${name} fuel ${place}` },
      ...{ key: this.#parts.gas.get(name), keyName: gasLine(name), build: () => buildTron(intent, slot, gas) },
    }
  }
}

type SweepRequest = Extract<JobRequest, { kind: 'sweep' }>
type FuelRequest = Extract<JobRequest, { kind: 'fuel' }>

/** A token of the policy. throws  SignerRefused CONTRACT_UNKNOWN */
function listed({ kind, tokens }: NetworkPolicy, contract: string): string {
  const same = (text: string): string => canonicalAddress(kind, text)
  const found = tokens.find((each) => each.contract !== undefined && same(each.contract) === safe(() => same(contract)))?.contract
  if (found === undefined) throw new SignerRefused('CONTRACT_UNKNOWN')
  return found
}

function safe(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function digestOf({ slot: _, ...job }: JobRequest): string {
  const parts = [job.kind, job.job, job.network]
  const rest = job.kind === 'fuel' ? [job.place, job.value.toString()] : [job.contract ?? '', ...job.places, job.value?.toString() ?? '']
  return createHash('sha256')
    .update(JSON.stringify(['candor job 1', ...parts, ...rest]))
    .digest('hex')
}

function built({ build, key, keyName }: Job): Unsigned {
  if (key === undefined) throw new SignerRefused('KEY_FAILED', { cause: new CustodyFault(`There is no key ${keyName}`) })
  try {
    return build()
  } catch (cause) {
    throw new SignerRefused('SWEEP_WRONG', { cause })
  }
}
