import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHmac } from 'node:crypto'
import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { openStore, type Store } from '../../store/open.ts'
import { startEmbedded } from '../../store/embedded.ts'
import type { RoleMessage } from '../process.ts'
import { certify } from '../certified.ts'
import { makeIdentity, makeLogger, reachEngine } from '../roles.ts'
import { environmentOf, readSettings, root, type Settings } from '../settings.ts'
import { type Running, startTree } from '../supervisor.ts'

/** An exchange whose processes run apart, with a second follower and a second gateway beside those of its tree. */
export type Several = AsyncDisposable & {
  readonly tree: Running
  readonly settings: Settings
  readonly store: Store
  /** Of the gateways. */
  readonly urls: readonly [string, string]
  readonly second: { readonly follower: ChildProcess; readonly gateway: ChildProcess }
}

export async function startSeveral(say: (line: string) => void): Promise<Several> {
  await using parts = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'candor-several-'))
  parts.defer(() => rmSync(folder, { recursive: true, force: true }))
  copyPrepared(folder)
  const database = await startEmbedded(folder)
  parts.defer(() => database.stop({ isForced: true }))
  const environment = { CANDOR_DATA: join(folder, 'data'), PORT: '0', CANDOR_FEED: 'simulated', CANDOR_SEED: '1' }
  const read = readSettings({ ...environment, CANDOR_BOTS: 'off', CANDOR_TEST_CHAINS: 'off' }, folder)
  const settings = { ...read, databaseUrl: database.url }
  const tree = parts.use(await startTree(settings, say))
  const start = async (role: 'follower' | 'gateway') => {
    const child = spawn(process.execPath, [join(root, 'server', 'main', 'process.ts'), role], {
      cwd: root,
      env: { ...process.env, ...environmentOf(tree.settings) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    parts.defer(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    })
    const [message] = (await once(child, 'message')) as [RoleMessage]
    return { child, url: message.url ?? '' }
  }
  const follower = await start('follower')
  const gateway = await start('gateway')
  const store = parts.use(await openStore({ dataFolder: folder, databaseUrl: database.url }))
  const owned = parts.move()
  return {
    ...{ tree, settings: tree.settings, store, urls: [tree.url, gateway.url] },
    second: { follower: follower.child, gateway: gateway.child },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export type Customer = {
  readonly email: string
  readonly account: string
  readonly user: UserId
  readonly key: string
  /** A request that is signed with the key. */
  signed(url: string, method: string, path: string, parameters?: Readonly<Record<string, string>>): Promise<{ status: number; body: any }>
}

export const password = 'correct horse battery staple'

/** A certified customer with 1,000,000 USDT and an API key. */
export async function addCustomer({ settings, store }: Several, name: string): Promise<Customer> {
  await using link = await reachEngine(settings)
  const ground = { settings, store, logger: makeLogger({ ...settings, logLevel: 'silent' }, 'test') }
  await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() })
  const email = `${name}@test.example`
  const { account, user } = await identity.createUser({ email, password, class: 'retail' })
  await certify(link.submit, identity, account, user as UserId)
  await link.submit({ type: 'funds.faucet', user: user as UserId, clientId: 'f', asset: 1 as AssetId, amount: 1e12 as Units })
  const owner = { account, visitor: { ip: 'local', userAgent: 'test' } }
  const { key, secret } = await identity.keys.grant({ label: name, scopes: ['read', 'trade'], ips: [] }, owner)
  return {
    ...{ email, account, user: user as UserId, key: key.key },
    async signed(url, method, path, parameters = {}) {
      const query = new URLSearchParams({ ...parameters, timestamp: String(Date.now()), recvWindow: '60000' }).toString()
      const signature = createHmac('sha256', secret!).update(query).digest('hex')
      const answer = await fetch(`${url}${path}?${query}&signature=${signature}`, { method, headers: { 'x-mbx-apikey': key.key } })
      return { status: answer.status, body: await answer.json() }
    },
  }
}
