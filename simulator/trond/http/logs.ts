/** `eth_getLogs` with TRON's limits: 5,000 blocks, 10,000 results, 1,000 addresses or topics in one place. */
import type { Block } from '../chain/block.ts'
import type { Log } from '../chain/vm.ts'
import { addressOf } from '../wire/bytes.ts'
import type { Json } from '../wire/json.ts'
import type { Faults } from './faults.ts'
import { logForms } from './rpc-forms.ts'
import { RpcError } from './rpc-error.ts'
import type { View } from './view.ts'

const blocksMax = 5_000
const resultsMax = 10_000
const choicesMax = 1_000

export function logs(view: View, filter: Json, faults: Faults): readonly Json[] {
  const addresses = addressesOf(filter.address)
  const topics = topicsOf(filter.topics)
  const matches = (log: Log): boolean =>
    (addresses === undefined || addresses.has(log.address)) &&
    topics.every((choice, index) => choice === undefined || (index < log.topics.length && choice.has(log.topics[index])))

  const found: Json[] = []
  for (const block of blocksOf(view, filter)) {
    if (faults.hidesLogs(block.number)) continue
    const all = view.all(block)
    for (const one of all) {
      if (!one.receipt.logs.some(matches)) continue
      const forms = logForms(one, all)
      found.push(...forms.filter((_, index) => matches(one.receipt.logs[index])))
      if (found.length > resultsMax) throw new RpcError(-32005, `query returned more than ${resultsMax} results`)
    }
  }
  return found
}

function blocksOf(view: View, { blockHash, fromBlock, toBlock }: Json): readonly Block[] {
  if (blockHash !== undefined) {
    if (fromBlock !== undefined || toBlock !== undefined) throw invalid('cannot specify both BlockHash and FromBlock/ToBlock')
    const block = view.blockById(String(blockHash).replace(/^0x/, ''))
    if (block === undefined) throw invalid('invalid blockHash')
    return [block]
  }
  const top = view.top.number
  const from = fromBlock === undefined ? top : numberOf(view, fromBlock)
  const to = toBlock === undefined ? top : numberOf(view, toBlock)
  if (from > to) throw invalid('please verify: fromBlock <= toBlock')
  if (to - from + 1 > blocksMax) throw invalid(`exceed max block range: ${blocksMax}`)
  const last = Math.min(to, top)
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => view.block(from + index) as Block)
}

/**
 * Number of a block as a request names it.
 *
 * throws  RpcError for `pending` and `safe`, which TRON does not know, and for what is no number
 */
export function numberOf(view: View, name: unknown): number {
  if (name === 'latest' || name === undefined || name === '') return view.top.number
  if (name === 'earliest') return 0
  if (name === 'finalized') return view.node.chain.solid.number
  if (name === 'pending' || name === 'safe') throw invalid(`TAG ${name} not supported`)
  if (typeof name !== 'string' || !/^0x[0-9a-fA-F]{1,13}$/.test(name)) throw invalid('invalid block number')
  return Number.parseInt(name, 16)
}

/** Addresses without `0x` and without their first byte 41. */
function addressesOf(value: unknown): ReadonlySet<string> | undefined {
  if (value === undefined || value === null) return undefined
  const list = Array.isArray(value) ? value : [value]
  if (list.length > choicesMax) throw invalid(`exceed max addresses: ${choicesMax}`)
  return new Set(list.map((text) => hexAddress(text).slice(2)))
}

/** throws  RpcError unless it is hex of 20 or 21 bytes: base58 is refused */
export function hexAddress(text: unknown): string {
  const isHex = typeof text === 'string' && /^(0x)?(41)?[0-9a-fA-F]{40}$/.test(text)
  const digits = String(text).replace(/^0x/, '')
  const address = isHex ? addressOf(digits.length === 40 ? `41${digits}` : digits) : undefined
  if (address === undefined) throw invalid(`invalid address: ${String(text)}`)
  return address
}

function topicsOf(value: unknown): readonly (ReadonlySet<string> | undefined)[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > 4) throw invalid('topics size should be <= 4')
  return value.map((choice: unknown) => {
    if (choice === null) return undefined
    const list = Array.isArray(choice) ? choice : [choice]
    if (list.length > choicesMax) throw invalid(`exceed max topics: ${choicesMax}`)
    return new Set(list.map(topicOf))
  })
}

function topicOf(text: unknown): string {
  if (typeof text !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(text)) throw invalid(`invalid topic: ${String(text)}`)
  return text.slice(2).toLowerCase()
}

function invalid(message: string): RpcError {
  return new RpcError(-32602, message)
}
