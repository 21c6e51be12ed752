/**
 * What the signer says for reserves: that it holds an address. It signs this one form of message and no other, about an address of its
 * own and a head, for the present day by its own clock, and for each address one head a day. So nobody can have it signed in advance.
 */
import { dayOf } from '@candor/core/proof/chain/day.ts'
import { type Possession, possessionBytes } from '@candor/core/proof/chain/possession.ts'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Signature, Unsigned } from '../../unsigned.ts'
import { addressOfKey, type ChainSigner } from '../chain-signer.ts'
import type { DepositKeys } from '../file-signer.ts'
import { type Entry, gasLine, type Memory } from '../memory.ts'
import type { Policy } from '../policy.ts'
import { SignerRefused } from '../reasons.ts'
import type { PossessRequest } from '../wire.ts'

export type PossessionParts = {
  readonly policy: Policy
  readonly memory: Memory
  readonly keys: ReadonlyMap<string, ChainSigner>
  readonly gas: ReadonlyMap<string, ChainSigner>
  readonly deposits: ReadonlyMap<string, DepositKeys>
  readonly write: (entry: Entry) => void
  readonly use: UseMessage
}

/** Signs a digest, and keeps the signature out of hand when the key repeated itself. */
export type UseMessage = (key: ChainSigner | undefined, keyName: string, unsigned: Unsigned) => Promise<UsedMessage>
export type UsedMessage = { readonly digest: string; readonly r: string; readonly signature: Signature }

export class Possessions {
  readonly #parts: PossessionParts
  /** `network address` → its signature of a day: keys that draw their nonces would fill the journal with one for each request. */
  readonly #given = new Map<string, { readonly day: string; readonly signature: string }>()

  constructor(parts: PossessionParts) {
    this.#parts = parts
  }

  /** The address and its signature of 65 bytes in hex. The same request gives it again on the same day. throws  SignerRefused */
  async sign(request: PossessRequest, now: number): Promise<{ readonly address: string; readonly signature: string }> {
    const { memory, write, use } = this.#parts
    const { network, key, keyName, isDeposit } = this.#held(request)
    const { day, head } = request
    if (day !== dayOf(now)) throw new SignerRefused('DAY_WRONG')
    const address = addressOfKey(network.kind, key.publicKey)
    const known = memory.possessionOf(network.name, address, day)
    if (known !== undefined && (known.head !== head.n || known.hash !== head.hash)) throw new SignerRefused('DAY_TAKEN')
    const given = this.#given.get(`${network.name} ${address}`)
    if (known !== undefined && given?.day === day) return { address, signature: given.signature }
    if (known === undefined && isDeposit && memory.depositsSaid(network.name, day) >= network.reserves!.deposits)
      throw new SignerRefused('CAP_DEPOSITS')
    const { name, kind, chainId } = network
    const about: Possession = { network: name, kind, chainId, address, day, head }
    const bytes = possessionBytes(about)
    if (known === undefined) write({ kind: 'possession', network: name, address, day, head: head.n, hash: head.hash, isDeposit })
    const { digest, r, signature } = await use(key, keyName, { bytes, digest: keccak_256(bytes) })
    if (memory.digestOf(r) === undefined) write({ kind: 'possession.signed', digest, r })
    const text = signatureText(signature)
    this.#given.set(`${name} ${address}`, { day, signature: text })
    return { address, signature: text }
  }

  #held({ network: name, of }: PossessRequest) {
    const { policy, keys, gas, deposits } = this.#parts
    const network = policy.networks.find((each) => each.name === name)
    if (network === undefined) throw new SignerRefused('NETWORK_UNKNOWN')
    if (network.reserves === undefined) throw new SignerRefused('NO_RESERVES')
    const key = of === 'hot' ? keys.get(name) : of === 'gas' ? gas.get(name) : deposits.get(name)?.at(of)
    if (key === undefined) throw new SignerRefused('NO_ADDRESSES')
    const keyName = of === 'hot' ? name : of === 'gas' ? gasLine(name) : `${name} deposit`
    return { network, key, keyName, isDeposit: typeof of === 'number' }
  }
}

/** 32 bytes of `r`, 32 of `s`, and 27 or 28, as wallets write signatures of messages. */
function signatureText({ r, s, recovery }: Signature): string {
  const word = (value: bigint): string => value.toString(16).padStart(64, '0')
  return `${word(r)}${word(s)}${(27 + recovery).toString(16)}`
}
