import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import { after, afterEach, before, beforeEach, mock } from 'node:test'
import type { Store } from '../../store/open.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { Engine } from '../engine.ts'
import type { EngineOptions } from '../options.ts'
import type { Link } from '../link.ts'
import { localLink } from '../local-link.ts'

/**
 * Engines for one file of tests, each over a database of its own. They are stopped after each test. They don't reserve the memory of
 * all tables, which is 4.6 GB of addresses each.
 */
export function engines() {
  let scratch: ScratchServer
  const started: Engine[] = []
  const stores: Store[] = []
  before(async () => {
    scratch = await startScratchServer()
  })
  after(() => scratch[Symbol.asyncDispose]())
  beforeEach(() => {
    mock.method(Exchange.prototype, 'reserve', () => true)
  })
  afterEach(async () => {
    mock.restoreAll()
    for (const engine of started.splice(0)) await engine.stop()
    for (const store of stores.splice(0)) await store[Symbol.asyncDispose]()
  })
  return {
    async newStore(): Promise<Store> {
      const store = await scratch.store()
      stores.push(store)
      return store
    },
    async start(options: Partial<EngineOptions> & { store: Store }): Promise<{ engine: Engine; link: Link }> {
      const engine = await Engine.start(options)
      started.push(engine)
      return { engine, link: localLink(engine) }
    },
  }
}

export const faucet = (clientId: string): Command => ({
  type: 'funds.faucet',
  user: 1 as UserId,
  clientId,
  asset: 1 as AssetId,
  amount: 1_000_000 as Units,
})
