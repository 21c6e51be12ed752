import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { AuditedReader } from '../ports.ts'
import { fromHex20 } from '../tron/address.ts'
import { tronReader } from '../tron/reader.ts'
import { depositWorlds, token } from './world.ts'

const world = depositWorlds()
const chainId = 728_126_428
const word = (hex: string): string => hex.padStart(64, '0')
const hex = (value: number | bigint): string => `0x${value.toString(16)}`
const usdt = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'
const payer = '11'.repeat(20)
const payee = '22'.repeat(20)
const topic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Transfer = { readonly value: bigint; readonly result?: string; readonly isUnindexed?: boolean; readonly from?: string }

/** A solidity node of TRON from a list of blocks, with answers as java-tron writes them. */
class ScriptedNode {
  readonly blocks: (readonly Transfer[])[] = [[]]
  /** Answers in place of the next ones, for methods whose name contains a word. */
  instead: { readonly word: string; readonly status?: number; readonly body: string } | undefined

  hash = (block: number): string => word(hex(0xb10c_0000 + block).slice(2))
  txid = (block: number, place: number): string => word(hex(0x7000_0000 + block * 100 + place).slice(2))

  answer(path: string, body: { method?: string; params?: unknown[]; id?: number; num?: number; value?: string }): unknown {
    if (path === '/walletsolidity/gettransactioninfobyblocknum') return this.#infos(body.num!)
    if (path === '/walletsolidity/gettransactioninfobyid')
      return this.blocks.flatMap((_, number) => this.#infos(number)).find(({ id }) => id === body.value) ?? {}
    if (path !== '/jsonrpc') return { Error: `no ${path}` }
    return { jsonrpc: '2.0', id: body.id, ...this.#rpc(body.method!, body.params!) }
  }

  #rpc(method: string, [first]: unknown[]): object {
    switch (method) {
      case 'eth_chainId':
        return { result: hex(chainId) }
      case 'eth_blockNumber':
        return { result: hex(this.blocks.length - 1) }
      case 'eth_getBlockByNumber':
        return { result: this.#block(Number(first)) }
      case 'eth_getBlockByHash':
        return { result: this.#block(this.blocks.findIndex((_, number) => `0x${this.hash(number)}` === first)) }
      case 'eth_getLogs': {
        const { fromBlock, toBlock, blockHash } = first as { fromBlock?: string; toBlock?: string; blockHash?: string }
        const wanted = (number: number): boolean =>
          blockHash === undefined ? number >= Number(fromBlock) && number <= Number(toBlock) : blockHash === `0x${this.hash(number)}`
        return { result: this.blocks.flatMap((_, number) => (wanted(number) ? this.#logs(number) : [])) }
      }
      case 'eth_getTransactionReceipt':
        return { result: this.#receipt(String(first)) }
      case 'eth_call':
        return { result: `0x${word('2a')}` }
      default:
        return { error: { code: -32_601, message: 'the method does not exist/is not available' } }
    }
  }

  #block(number: number): object | null {
    if (number < 0 || number >= this.blocks.length) return null
    return {
      ...{ number: hex(number), hash: `0x${this.hash(number)}`, parentHash: `0x${this.hash(number - 1)}`, timestamp: hex(number * 3) },
      ...{ logsBloom: '0x00', nonce: '0x0', transactions: [] },
    }
  }

  #logs(number: number, isWhole = false): object[] {
    return this.blocks[number]!.flatMap(({ value, isUnindexed, from = payer, result }, place) =>
      (isUnindexed && !isWhole) || (result ?? 'SUCCESS') !== 'SUCCESS'
        ? []
        : [
            {
              ...{
                address: `0x${usdt}`,
                topics: [`0x${topic}`, `0x${word(from)}`, `0x${word(payee)}`],
                data: `0x${word(value.toString(16))}`,
              },
              ...{ blockNumber: hex(number), blockHash: `0x${this.hash(number)}`, logIndex: hex(place), removed: false },
              ...{ transactionHash: `0x${this.txid(number, place)}`, transactionIndex: hex(place) },
            },
          ],
    )
  }

  #receipt(txid: string): object | null {
    for (const [number, transfers] of this.blocks.entries())
      for (const place of transfers.keys())
        if (`0x${this.txid(number, place)}` === txid) {
          const about = { transactionHash: txid, blockNumber: hex(number), blockHash: `0x${this.hash(number)}` }
          return { ...about, status: '0x1', logs: this.#logs(number, true).slice(place, place + 1) }
        }
    return null
  }

  #infos(number: number) {
    return this.blocks[number]!.map(({ value, result = 'SUCCESS', from = payer }, place) => ({
      ...{ id: this.txid(number, place), blockNumber: number, blockTimeStamp: number * 3_000, contractResult: [''], fee: 345_000 },
      receipt: { result, energy_usage_total: 64_285 },
      ...(result === 'SUCCESS'
        ? { log: [{ address: usdt, topics: [topic, word(from), word(payee)], data: word(value.toString(16)) }] }
        : {}),
    }))
  }
}

async function withNode(run: (node: ScriptedNode, reader: AuditedReader) => Promise<void>, hasCoin = false): Promise<void> {
  const node = new ScriptedNode()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const { instead } = node
      const isOther = instead !== undefined && `${request.url} ${body}`.includes(instead.word)
      response.writeHead(isOther ? (instead.status ?? 200) : 200, { 'content-type': 'application/json' })
      response.end(isOther ? instead.body : JSON.stringify(node.answer(request.url!, JSON.parse(body) as object)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run(node, tronReader({ node: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, chainId, hasCoin }))
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

test('DEPOSIT-TRON-001: blocks, transfers and results are read from the solidity node, with addresses in base58', () =>
  withNode(async (node, reader) => {
    node.blocks.push([{ value: 5n }, { value: 0n }, { value: 7n }], [])
    assert.deepEqual([await reader.head(), await reader.final()], [2, 2])
    const block = { number: 1, hash: node.hash(1), parent: node.hash(0), at: 3_000 }
    assert.deepEqual(await reader.block(1), block)
    assert.deepEqual(await reader.block({ hash: node.hash(1) }), block)
    assert.equal(await reader.block(3), undefined)
    const about = { contract: fromHex20(`0x${usdt}`), from: fromHex20(`0x${payer}`), to: fromHex20(`0x${payee}`) }
    const transfers = [
      { txid: node.txid(1, 0), ordinal: 0, ...about, value: 5n, block: 1, blockHash: node.hash(1) },
      { txid: node.txid(1, 2), ordinal: 0, ...about, value: 7n, block: 1, blockHash: node.hash(1) },
    ]
    assert.deepEqual(await reader.transfers([about.contract], { from: 0, to: 2 }), transfers)
    assert.deepEqual(await reader.transfers('any', { blockHash: node.hash(1) }), transfers)
    assert.deepEqual(await reader.transfers([about.to], { from: 0, to: 2 }), [])
    assert.deepEqual(await reader.audit(1), transfers)
    assert.deepEqual(await reader.receipt(node.txid(1, 0)), { isSuccess: true, block: 1, blockHash: node.hash(1) })
    assert.equal(await reader.receipt(node.txid(2, 0)), undefined)
    assert.equal(await reader.balance(about.to, about.contract), 42n)
  }))

test('DEPOSIT-TRON-002: an answer outside the envelope of JSON-RPC is a failure of the node, and so is one about something else', () =>
  withNode(async (node, reader) => {
    node.blocks.push([{ value: 5n }])
    assert.equal(await reader.head(), 1)
    const outside = ['{"Error":"lack of computing resources"}', '[]', 'null', '', '<html>', '{"jsonrpc":"2.0","id":1}']
    for (const body of [
      ...outside,
      '{"jsonrpc":"2.0","id":99999,"result":"0x1"}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}',
    ])
      for (const [word, ask] of [
        ['eth_blockNumber', () => reader.head()],
        ['eth_getLogs', () => reader.transfers('any', { from: 0, to: 1 })],
        ['eth_getTransactionReceipt', () => reader.receipt(node.txid(1, 0))],
      ] as const) {
        node.instead = { word, body }
        await assert.rejects(ask(), { name: /^Node(Fault|Refusal)$/ }, `${word} ${body}`)
      }
    for (const body of ['{"Error":"busy"}', '', '{}']) {
      node.instead = { word: 'gettransactioninfobyblocknum', body }
      await assert.rejects(reader.audit(1), { name: 'NodeFault' })
    }
    node.instead = { word: 'eth_getLogs', status: 503, body: '{"jsonrpc":"2.0","id":1,"result":[]}' }
    await assert.rejects(reader.transfers('any', { from: 0, to: 1 }), /answered 503/)
    const other = { ...(node.answer('/jsonrpc', { method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x1' }] }) as object) }
    node.instead = { word: 'eth_getLogs', body: JSON.stringify({ ...other, id: 0 }) }
    await assert.rejects(reader.transfers('any', { from: 0, to: 0 }), { name: 'NodeFault' })
  }))

test('DEPOSIT-TRON-003: deposits come from solid blocks, are final at once, and those missing in the index of logs are found', () =>
  withNode(async (node, reader) => {
    const contract = fromHex20(`0x${usdt}`)
    await using made = await world({ readers: [reader], tokens: [token(contract)], network: 'tron', confirmations: 0 })
    await made.customer(7, fromHex20(`0x${payee}`))
    node.blocks.push([{ value: 2_000_000n }, { value: 9_000_000n, result: 'OUT_OF_ENERGY' }], [{ value: 3_000_000n, isUnindexed: true }])
    await made.settle()
    assert.deepEqual(
      (await made.deposits()).map(({ txid, state, raw }) => [txid, state, raw]),
      [
        [node.txid(1, 0), 'final', '2000000'],
        [node.txid(2, 0), 'final', '3000000'],
      ],
    )
    assert.deepEqual([made.core.balance(7), made.core.unfinal(7)], [5_000_000, 0])
    assert.match(made.log.join(), /audit of block 2 of tron found 1 transfers/)
    // A busy node takes nothing back and loses nothing.
    node.blocks.push([{ value: 4_000_000n }])
    node.instead = { word: 'eth_', body: '{"Error":"busy"}' }
    await assert.rejects(made.settle(), { name: 'NodeFault' })
    node.instead = undefined
    await made.settle()
    assert.equal(made.core.balance(7), 9_000_000)
  }))

test('DEPOSIT-COIN-005: a transfer of more TRX than a number of JSON holds exactly is read, and read exactly', () =>
  withNode(async (node, reader) => {
    node.blocks.push([])
    const sum = 2n ** 53n + 1n
    const sent = { amount: Number(sum), owner_address: `41${payer}`, to_address: `41${payee}` }
    const contract = [{ type: 'TransferContract', parameter: { value: sent } }]
    const transactions = [{ txID: node.txid(1, 0), ret: [{ contractRet: 'SUCCESS' }], raw_data: { contract } }]
    const usual = node.answer.bind(node)
    node.answer = (path, body) => {
      if (path === '/walletsolidity/getblockbynum') return { blockID: node.hash(1), transactions }
      const found = { hash: `0x${node.txid(1, 0)}`, value: hex(sum) }
      return body.method === 'eth_getTransactionByHash' ? { jsonrpc: '2.0', id: body.id, result: found } : usual(path, body)
    }
    const [found] = await reader.audit(1)
    assert.deepEqual([found?.to, found?.value], [fromHex20(`0x${payee}`), sum])
  }, true))
