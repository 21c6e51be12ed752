/**
 * The exchange that a browser is measured against: with bots, a customer, and TLS in front. It runs in a process of its own with a low
 * priority, because a phone does not share its processor with the exchange.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { startExchange } from '../../../server/main/test/exchange.ts'
import { cookieOf, hasBook, trade } from '../../../web/test/person.ts'
import { openFront } from './front.ts'

export type Customer = {
  readonly cookie: { readonly name: string; readonly value: string }
  /** JSON that the app stores under `session`. */
  readonly session: string
  /** The whole USDT of the spot account. */
  readonly usdt: number
}

export type World = {
  readonly url: string
  /** With TLS and HTTP/2, if this machine can make a certificate. */
  readonly secureUrl: string | undefined
  readonly customer: Customer
  /** The first presale of the sandbox. */
  readonly presale: number
}

const priority = 15

export async function startWorld(): Promise<World & AsyncDisposable> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const world = await Promise.race([
    once(child, 'message').then(([message]) => message as World),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the exchange ended with ${code}`))),
  ])
  return { ...world, [Symbol.asyncDispose]: () => ended(child) }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.disconnect()
  await exit
}

async function run(): Promise<void> {
  // Its own processes inherit it.
  setPriority(priority)
  await using exchange = await startExchange({ seed: '7', bots: true, hasHistory: true })
  await hasBook(exchange)
  const user = await exchange.user({ funds: { USDT: '25000', BTC: '0.2', ETH: '3' }, isCertified: true })
  await trade(user)
  const front = await openFront(exchange.url)
  const { accounts } = (await user.call('GET', '/balances')).body as { accounts: { balances: { asset: string; available: string }[] }[] }
  const { presales } = (await user.call('GET', '/presales?lang=en')).body as { presales: { id: number }[] }
  const world: World = {
    url: exchange.url,
    secureUrl: front?.url,
    customer: {
      cookie: cookieOf(user),
      session: JSON.stringify((await user.call('GET', '/me')).body),
      usdt: Math.trunc(Number(accounts[0]?.balances.find(({ asset }) => asset === 'USDT')?.available)),
    },
    presale: presales[0]?.id ?? 1,
  }
  const left = once(process, 'disconnect')
  process.send?.(world)
  await left
  front?.close()
}

if (process.argv[1] === import.meta.filename) {
  await run()
  process.exit(0)
}
