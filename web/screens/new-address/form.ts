import type { AddressOwner, WireNewWithdrawalAddress, WirePastAddress, WireWithdrawalList } from '@candor/core/protocol/wire/addresses.ts'
import type { WireNetwork } from '@candor/core/protocol/wire/chains.ts'
import { type AddressFault, areAlike, kindOfAddress, readAddress } from '@candor/core/risk/addresses.ts'
import { keccak_256 } from '@noble/hashes/sha3.js'

export type Draft = {
  readonly address: string
  readonly network: string
  readonly label: string
  readonly owner: AddressOwner
  readonly exchange: string
  readonly beneficiary: string
}

/** An empty form, with the network that customers see first. */
export function firstDraft(networks: readonly WireNetwork[]): Draft {
  return { address: '', network: networks[0]?.name ?? '', label: '', owner: 'own', exchange: '', beneficiary: '' }
}

export type Problem = 'missing' | AddressFault | 'listed'

/** The text of an address as QR codes and other apps give it: without spaces, and without `ethereum:` and what follows the address. */
export function addressIn(text: string): string {
  const bare = text.replace(/\s/g, '')
  return /^[a-z]+:([A-Za-z0-9]+)/.exec(bare)?.[1] ?? bare
}

/** The draft with another text of the address. The network is chosen if only one writes addresses like this. */
export function withAddress(draft: Draft, text: string, networks: readonly WireNetwork[]): Draft {
  const address = addressIn(text)
  const kind = kindOfAddress(address)
  const fitting = networks.filter((network) => network.kind === kind)
  const stays = fitting.some(({ name }) => name === draft.network)
  return { ...draft, address, network: stays || fitting.length === 0 ? draft.network : (fitting[0]?.name ?? '') }
}

/** The errors of a draft by field; empty if it can be sent. */
export function problemsOf(
  draft: Draft,
  { networks, addresses }: Pick<WireWithdrawalList, 'networks' | 'addresses'>,
): ReadonlyMap<keyof Draft, Problem> {
  const problems = new Map<keyof Draft, Problem>()
  const network = networks.find(({ name }) => name === draft.network)
  const found = addressProblem(draft, network, addresses)
  if (found !== undefined) problems.set('address', found)
  if (draft.label.trim() === '') problems.set('label', 'missing')
  if (draft.owner === 'exchange') {
    if (draft.exchange.trim() === '') problems.set('exchange', 'missing')
    if (draft.beneficiary.trim().length < 2) problems.set('beneficiary', 'missing')
  }
  return problems
}

function addressProblem({ address }: Draft, network: WireNetwork | undefined, listed: readonly WirePastAddress[]): Problem | undefined {
  if (address === '') return 'missing'
  const kind = network?.kind ?? kindOfAddress(address)
  if (kind === undefined) return 'invalid'
  const read = readAddress(address, kind, keccak_256)
  if (read.fault !== undefined) return read.fault
  return listed.some((one) => one.network === network?.name && one.address === read.address) ? 'listed' : undefined
}

/** The address in the form in which it is stored; undefined if it has errors. */
export function readDraft({ address }: Pick<Draft, 'address'>): string | undefined {
  const kind = kindOfAddress(address)
  const read = kind === undefined ? undefined : readAddress(address, kind, keccak_256)
  return read?.fault === undefined ? read?.address : undefined
}

/** An address of the list, or one that was on it, that looks like this one. */
export function alikeOf(address: string, { addresses, past }: Pick<WireWithdrawalList, 'addresses' | 'past'>): WirePastAddress | undefined {
  return [...addresses, ...past].find((one) => areAlike(one.address, address))
}

export function requestOf(draft: Draft, middle: string | undefined): WireNewWithdrawalAddress {
  const { address, network, owner } = draft
  return {
    ...{ network, address, label: draft.label.trim(), owner },
    ...(owner === 'own' ? {} : { exchange: draft.exchange.trim(), beneficiary: draft.beneficiary.trim() }),
    ...(middle === undefined ? {} : { middle }),
  }
}
