/** Starts Anvil, a node of Ethereum for tests and the sandbox, on loopback. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

export const anvilChainId = 31_337
/** The first key of each Anvil. Everybody knows it, and its account is rich. */
export const anvilKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

export type AnvilOptions = {
  /** Port on 127.0.0.1; 0 or absent: any free one. */
  readonly port?: number
  /** Milliseconds between blocks; 0: one on demand, by `anvil_mine`; absent: one per transaction. */
  readonly blockMs?: number
  /** Blocks on top of a final one; an even number, 64 if absent. */
  readonly finality?: number
  readonly chainId?: number
  /** Folder in which the chain is kept, each second and at the end; absent: in memory only. */
  readonly data?: string
}

export type Anvil = AsyncDisposable & {
  readonly url: string
  readonly pid: number
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
}

/** throws  Error when there is no binary for this machine, or it ends before it listens */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  if (options.data !== undefined) mkdirSync(options.data, { recursive: true })
  const child = spawn(anvilBinary(), argumentsOf(options), { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
      if (address !== undefined) resolve(`http://${address}`)
    })
    child.once('error', reject)
    void ended.then(() => reject(new Error('anvil ended before it listened')))
  })
  const close = async (): Promise<void> => {
    // Ends with the chain written to its file.
    child.kill('SIGTERM')
    await ended
  }
  return { url, pid: child.pid as number, ended, [Symbol.asyncDispose]: close }
}

/** throws  Error when no package with the program for this machine is installed */
export function anvilBinary(): string {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${processor}`
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', file)
}

function argumentsOf({ port = 0, blockMs, finality, chainId = anvilChainId, data }: AnvilOptions): readonly string[] {
  const slots = finality === undefined ? [] : ['--slots-in-an-epoch', String(finality / 2)]
  const state = data === undefined ? [] : ['--state', join(data, 'anvil.json'), '--state-interval', '1']
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--order', 'fifo', '--accounts', '1'],
    ...(blockMs === undefined ? [] : blockMs === 0 ? ['--no-mining'] : ['--block-time', String(blockMs / 1000)]),
    ...slots,
    ...state,
  ]
}
