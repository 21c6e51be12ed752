/** Test chains and a signer for a test exchange, each in a process of its own as in a sandbox. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { cheapLock } from '../../chains/signer/test/cheap.ts'
import { placesIn, prepareKeys, type TestChainsReady, writeSettings } from '../chains/sandbox.ts'
import { root } from '../settings.ts'

export type Chains = AsyncDisposable & {
  readonly folder: string
  readonly ready: TestChainsReady
  /** Sends test coins to an address. Returns the transaction's id. */
  send(wanted: { readonly network: string; readonly asset: string; readonly to: string; readonly amount: string }): Promise<string>
  /** Makes blocks on a network at once, so that nobody waits for its clock. */
  mine(network: string, blocks: number): Promise<void>
  readonly signer: ChildProcess
}

/** `origin`: the page on which customers use passkeys. */
export async function startChains(dataFolder: string, origin = 'http://localhost'): Promise<Chains> {
  await using parts = new AsyncDisposableStack()
  const places = placesIn(dataFolder)
  const own = await prepareKeys(places, cheapLock)
  const chains = await child(['simulator', 'chains', 'main.ts'], [places.blocks, JSON.stringify(own)])
  parts.defer(() => ended(chains.process))
  const ready = chains.message as TestChainsReady
  await writeSettings(places, own, ready, [origin], cheapLock)
  const environment = { CREDENTIALS_DIRECTORY: places.credentials }
  const signer = await child(['server', 'chains', 'signer', 'test', 'cheap-signer.ts'], [places.signer, places.door], environment)
  parts.defer(() => ended(signer.process))
  const owned = parts.move()
  return {
    ...{ folder: places.folder, ready, signer: signer.process },
    async send(wanted) {
      const answer = await fetch(`${ready.faucet}/send`, { method: 'POST', body: JSON.stringify(wanted) })
      const { txid, error } = (await answer.json()) as { readonly txid?: string; readonly error?: string }
      if (txid === undefined) throw new Error(error)
      return txid
    },
    async mine(network, blocks) {
      const isTron = network === 'tron'
      const url = isTron ? `${ready.tron.url}/control/mine` : ready.ethereum.url
      const body = isTron ? { blocks } : { jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [blocks] }
      const headers = { 'content-type': 'application/json' }
      await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function child(path: readonly string[], args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const process_ = spawn(process.execPath, [join(root, ...path), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  let said = ''
  process_.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
  const message = await new Promise<unknown>((resolve, reject) => {
    process_.once('message', resolve)
    process_.once('exit', (code) => reject(new Error(`${path.join('/')} ended with ${code}: ${said}`)))
  })
  return { process: process_, message }
}

async function ended(process_: ChildProcess): Promise<void> {
  if (process_.exitCode !== null || process_.signalCode !== null) return
  const gone = new Promise((resolve) => process_.once('exit', resolve))
  process_.kill('SIGTERM')
  await gone
}
