/** Starts a test node of TRON in this process. */
import { join } from 'node:path'
import { ChainFile } from './chain/file.ts'
import { Node, slotMs } from './chain/node.ts'
import { Faults } from './http/faults.ts'
import { serve, urlOf } from './http/server.ts'
import { View } from './http/view.ts'

export type TrondOptions = {
  /** Ports on 127.0.0.1; 0 or absent: any free one. */
  readonly port?: number
  readonly solidPort?: number
  /** Milliseconds between blocks; 0 or absent: only on demand. */
  readonly blockMs?: number
  /** Time of the first block; absent: now. */
  readonly startAt?: number
  /** Folder in which the chain is kept; absent: in memory only. */
  readonly data?: string
}

export type Trond = AsyncDisposable & {
  readonly node: Node
  readonly faults: Faults
  /** Address of the full node: `/wallet/*`, `/walletsolidity/*`, `/jsonrpc`, `/control/*`. */
  readonly url: string
  /** Address of the solidity node: `/walletsolidity/*` and `/jsonrpc` with solid blocks only. */
  readonly solidUrl: string
}

export async function startTrond(options: TrondOptions = {}): Promise<Trond> {
  const { port = 0, solidPort = 0, blockMs = 0, startAt = Math.floor(Date.now() / slotMs) * slotMs, data } = options
  const file = data === undefined ? {} : { file: new ChainFile(join(data, 'trond.jsonl')) }
  const node = await Node.open({ blockMs, startAt, ...file })
  const faults = new Faults()
  const full = await serve(new View(node, false), faults, port)
  const solid = await serve(new View(node, true), faults, solidPort)
  const close = async (): Promise<void> => {
    node.close()
    for (const server of [full, solid]) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    await node.alone(async () => undefined)
  }
  return { node, faults, url: urlOf(full), solidUrl: urlOf(solid), [Symbol.asyncDispose]: close }
}
