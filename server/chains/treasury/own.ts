/** The exchange's own addresses, each written in one way. */
import type { NetworkConfig } from '../config.ts'
import { toChecksum } from '../evm/address.ts'
import { nativeContract } from '../ports.ts'

export const ownRoles = ['hot', 'gas', 'sink'] as const
export type OwnRole = (typeof ownRoles)[number]

export type Own = {
  readonly network: string
  readonly kind: NetworkConfig['kind']
  /** Role by address; one address may have two, and is named by the first. */
  readonly roles: ReadonlyMap<string, OwnRole>
  readonly address: Readonly<Record<OwnRole, string>>
  /** The configured tokens, with their contracts as nodes write them; the native coin under `native`, if the network lists it. */
  readonly tokens: readonly OwnToken[]
  /** Native coin that one transaction may cost at most. */
  readonly feeMax: bigint
}

export type OwnToken = { readonly asset: string; readonly contract: string; readonly decimals: number }

/** Stands for the native coin where a contract would be. */
export const native = nativeContract
/** Stands for a contract in a checkpoint that counts transactions. */
export const nonces = 'nonces'

export function ownOf({ name, kind, hot, gas, sink, tokens, feeMax }: NetworkConfig): Own {
  const same = (address: string): string => canonical(kind, address)
  const address = { hot: same(hot), gas: same(gas), sink: same(sink) }
  const roles = new Map(ownRoles.toReversed().map((role) => [address[role], role]))
  const listed = tokens.map(({ asset, contract, decimals }) => ({
    ...{ asset, contract: contract === undefined ? native : same(contract), decimals },
  }))
  return { network: name, kind, roles, address, tokens: listed, feeMax: BigInt(feeMax) }
}

/** An address as readers write it. */
export function canonical(kind: NetworkConfig['kind'], address: string): string {
  return kind === 'evm' ? toChecksum(address) : address
}
