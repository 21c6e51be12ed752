/** What the factory's log says of the native coin that forwarders sent: no transaction says it. */
import { getAddress, keccak256, toBytes } from 'viem'
import { nativeContract } from '../ports.ts'
import type { Log, Said } from '../rpc/chain-rpc.ts'
import { forwarderAddress } from './forwarder.ts'

/** The factory of forwarders, and whom all of them pay. */
export type Factory = { readonly address: string; readonly sink: string }

const flushedTopic = keccak256(toBytes('Flushed(bytes32,address,uint256)'))
const noToken = `0x${'0'.repeat(64)}`
const placeMax = 0x7fff_ffffn

/** A transfer from a forwarder to the sink, if the log is one. */
export function coinFlushed({ address, topics, data }: Pick<Log, 'address' | 'topics' | 'data'>, chainId: number, factory: Factory) {
  const [topic, place, token] = topics
  if (topic !== flushedTopic || token !== noToken || data.length !== 66 || getAddress(address) !== getAddress(factory.address))
    return undefined
  const value = BigInt(data)
  if (value === 0n || BigInt(place!) > placeMax) return undefined
  const from = getAddress(forwarderAddress({ chainId, factory: getAddress(factory.address) }, Number(BigInt(place!))))
  return { contract: nativeContract, from, to: getAddress(factory.sink), value } satisfies Said
}
