/** Files of reserves and anchors as an exchange would make them, with keys of their own. Tests bend them. */
import { anchorData } from '@candor/core/proof/chain/anchor.ts'
import { forwarderOf } from '@candor/core/proof/chain/address.ts'
import { dayOf } from '@candor/core/proof/chain/day.ts'
import { headHash, ownHead, type Possession, possessionBytes } from '@candor/core/proof/chain/possession.ts'
import { type ReserveAddress, type ReserveNetwork, reserveText } from '@candor/core/proof/chain/reserve-text.ts'
import type { ReserveFile } from '@candor/core/proof/chain/reserves.ts'
import { headText } from '@candor/core/proof/head.ts'
import { liabilityHash, liabilityText } from '@candor/core/proof/liabilities.ts'
import type { SignedHead } from '@candor/core/proof/remembered.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Hex, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { first, keys, signed } from '../../../../core/proof/test/story.ts'
import { addressOfKey } from '../../signer/chain-signer.ts'

export const at = Date.UTC(2026, 10, 30, 0, 10)
export const day = dayOf(at)
export const factory = '0x00000000000000000000000000000000000000fa'
export const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
export const usdtTron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const dayMs = 86_400_000

/** A key that holds addresses of both kinds. */
export class ChainKey {
  readonly secret = secp256k1.utils.randomSecretKey()

  address(kind: 'evm' | 'tron'): string {
    return addressOfKey(kind, secp256k1.getPublicKey(this.secret, false))
  }

  sign(about: Possession): string {
    const bytes = secp256k1.sign(keccak_256(possessionBytes(about)), this.secret, { prehash: false, format: 'recovered' })
    return `${Buffer.from(bytes.subarray(1)).toString('hex')}${(27 + bytes[0]!).toString(16)}`
  }
}

export const owed = liabilityText({
  ...{ n: 12, at: at - 60_000, seq: 40 },
  trees: [
    { asset: 'BTC', kind: 'claims', scale: 8, size: 1, sum: 500, root: 'aa'.repeat(32) },
    { asset: 'USDT', kind: 'claims', scale: 6, size: 1, sum: 10_000_000, root: 'ab'.repeat(32) },
    { asset: 'USDT', kind: 'debts', scale: 6, size: 1, sum: 4_000_000, root: 'ac'.repeat(32) },
  ],
})

/** A signed head of a time. */
export function headAt(n: number, time: number, liabilities = owed): SignedHead {
  const text = headText({
    ...{ n, at: time, seq: 42, epoch: 1, hash: 'cd'.repeat(32), log: 'ef'.repeat(32), receipts: { size: 0, root: '00'.repeat(32) } },
    ...{ liabilities: { n: 12, hash: liabilityHash(liabilities) }, key: 1 },
  })
  return { n, text, signature: signed(first, text) }
}

export type FileParts = {
  readonly keys: { readonly hot: ChainKey; readonly cold: ChainKey; readonly tron: ChainKey }
  networks: ReserveNetwork[]
  head: SignedHead
  cold: SignedHead
  at: number
  day: string
}

/** Hot 3 USDT, a forwarder with 2, cold with 4 signed ten days ago, and on TRON a deposit address with 0.5. */
export function fileParts(change: (parts: FileParts) => void = () => undefined): FileParts {
  const own = { hot: new ChainKey(), cold: new ChainKey(), tron: new ChainKey() }
  const block = { number: 19_000_000, hash: 'be'.repeat(32), at: at - 900_000 }
  const line = (about: Partial<ReserveAddress> & Pick<ReserveAddress, 'address' | 'role' | 'balances'>): ReserveAddress => ({
    ...{ place: undefined, signed: undefined, ...about },
  })
  const parts: FileParts = {
    keys: own,
    networks: [
      {
        ...{ name: 'ethereum', kind: 'evm', chainId: 1, state: 'agreed', sources: ['a.example', 'b.example:8545'], block, factory },
        coins: [
          { asset: 'USDT', decimals: 6, contract: usdt },
          { asset: 'ETH', decimals: 18, contract: 'native' },
        ],
        addresses: [
          line({ address: own.hot.address('evm'), role: 'hot', signed: day, balances: [3_000_000n, 5n] }),
          line({ address: own.cold.address('evm'), role: 'cold', signed: dayOf(at - 10 * dayMs), balances: [4_000_000n, 0n] }),
          line({ address: forwarderOf({ chainId: 1, factory, place: 17 }), role: 'forwarder', place: 17, balances: [2_000_000n, 0n] }),
        ],
      },
      {
        ...{ name: 'tron', kind: 'tron', chainId: 728_126_428, state: 'single', sources: ['t.example'], block, factory: undefined },
        coins: [{ asset: 'USDT', decimals: 6, contract: usdtTron }],
        addresses: [line({ address: own.tron.address('tron'), role: 'deposit', place: 4, signed: day, balances: [500_000n] })],
      },
    ],
    ...{ head: headAt(7, at - 5_000), cold: headAt(3, at - 10 * dayMs), at, day },
  }
  change(parts)
  return parts
}

export function fileOf(parts: FileParts): ReserveFile {
  const { networks, head, cold } = parts
  const text = reserveText({ n: 5, at: parts.at, day: parts.day, head: { n: head.n, hash: headHash(head.text) }, networks })
  const signatures = networks.flatMap(({ name, kind, chainId, addresses }) =>
    addresses.flatMap(({ address, role, signed: of }) => {
      if (of === undefined) return []
      const named = role === 'cold' ? cold : head
      const key = role === 'cold' ? parts.keys.cold : role === 'deposit' ? parts.keys.tron : parts.keys.hot
      const about = { network: name, kind, chainId, address, day: of, head: ownHead(first.publicKey, named) }
      return [{ network: name, address, head: named.n, signature: key.sign(about) }]
    }),
  )
  const heads = signatures.some((each) => each.head === cold.n) ? [cold] : []
  return { reserves: text, signature: signed(first, text), head, keys, liabilities: owed, heads, signatures }
}

/** A signed transaction of an anchor. `change`: makes it another one. */
export async function anchorRaw(head: SignedHead, key: ChainKey, change: object = {}): Promise<Hex> {
  const account = privateKeyToAccount(`0x${Buffer.from(key.secret).toString('hex')}`)
  return account.signTransaction({
    ...{ type: 'eip1559', chainId: 1, nonce: 3, gas: 30_000n, maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
    ...{ to: account.address, value: 0n, data: anchorData({ n: head.n, hash: headHash(head.text) }) as Hex, ...change },
  })
}

export async function anchorLineOf(head: SignedHead, key: ChainKey, change: object = {}): Promise<string> {
  const anchor = await anchorRaw(head, key, change)
  return JSON.stringify({
    anchor,
    txid: keccak256(anchor),
    network: 'ethereum',
    block: { number: 5, hash: `0x${'be'.repeat(32)}` },
    head,
    keys,
  })
}
