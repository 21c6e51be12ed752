/**
 * A crowd of sockets that listen to markets, and the processes of their clients. It publishes ticks through the fan-out of this or
 * another clone, or through a naive loop, and measures the processor time that its own process needs.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Connection } from '@candor/server/sockets/connection.ts'
import type { Fanout } from '@candor/server/sockets/fanout.ts'
import type { makeUpgrade } from '@candor/server/sockets/upgrade.ts'
import { bytesOf, kinds, markets, payload } from './messages.ts'

const perProcess = 5_000

/** The modules of a clone that a crowd uses. */
type Tree = {
  readonly Connection: typeof Connection
  readonly Fanout: typeof Fanout
  readonly makeUpgrade: typeof makeUpgrade
}

type Clients = { readonly child: ChildProcess; readonly count: number; bytes: number }

export class Crowd implements Disposable {
  readonly #server: Server
  readonly #fanout: Fanout
  readonly #connections: Connection[] = []
  readonly #clients: Clients[] = []
  #tick = 0

  private constructor(tree: Tree) {
    this.#fanout = new tree.Fanout((channel) => !/@(trade|aggTrade|depth)$/.test(channel))
    this.#server = createServer()
    this.#server.on(
      'upgrade',
      tree.makeUpgrade(() => () => ({ open: (ws, raw) => this.#add(new tree.Connection(ws, raw, 1_000)) }), { isOwn: () => true }),
    )
  }

  /** Connects the clients. `root`: the clone whose fan-out is used. Throws when not all of them can connect. */
  static async start(root: string, sockets: number): Promise<Crowd> {
    const crowd = new Crowd(await loadTree(root))
    crowd.#server.listen(0, '127.0.0.1')
    await once(crowd.#server, 'listening')
    for (let left = sockets; left > 0; left -= perProcess) await crowd.#connect(Math.min(left, perProcess))
    return crowd
  }

  get size(): number {
    return this.#connections.length
  }

  /** Messages per CPU-second through the fan-out. */
  async ours(ticks: number): Promise<number> {
    return this.#measure(ticks, (tick) => {
      for (const market of markets) {
        for (const kind of kinds) this.#fanout.publish(`${market}@${kind}`, JSON.stringify(payload(market, kind, tick)))
      }
      this.#fanout.flush()
    })
  }

  /** Messages per CPU-second when each message is made and sent for each socket. */
  async naive(ticks: number): Promise<number> {
    return this.#measure(ticks, (tick) => {
      const payloads = new Map(markets.map((market) => [market, kinds.map((kind) => payload(market, kind, tick))]))
      this.#connections.forEach(({ ws }, i) => {
        for (const one of payloads.get(marketOf(i))!) ws.send(JSON.stringify(one))
      })
    })
  }

  [Symbol.dispose](): void {
    for (const { child } of this.#clients) child.disconnect()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #add(connection: Connection): void {
    const market = marketOf(this.#connections.length)
    this.#connections.push(connection)
    this.#fanout.listen(
      connection,
      kinds.map((kind) => `${market}@${kind}`),
    )
  }

  async #connect(count: number): Promise<void> {
    const { port } = this.#server.address() as AddressInfo
    const child = fork(join(import.meta.dirname, 'clients.ts'), [String(port), String(count)])
    this.#clients.push({ child, count, bytes: 0 })
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve())
      child.once('exit', () => reject(new Error('the clients could not connect: is the limit of open files high enough?')))
    })
  }

  async #measure(ticks: number, publish: (tick: number) => void): Promise<number> {
    const from = this.#tick
    const before = process.cpuUsage()
    for (; this.#tick < from + ticks; this.#tick++) {
      publish(this.#tick)
      await new Promise((resolve) => setImmediate(resolve))
      // Real ticks are 100 ms apart, and no client here is slow: so the next tick waits until this one is sent.
      while (this.#connections.some(({ isSlow }) => isSlow)) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const used = process.cpuUsage(before)
    for (let tick = from; tick < this.#tick; tick++) this.#count(tick)
    await this.#delivered()
    return (this.size * kinds.length * ticks) / ((used.user + used.system) / 1e6)
  }

  /** Counts the bytes of a tick on the wire. Runs outside the measured time. */
  #count(tick: number): void {
    const bytes = new Map(markets.map((market) => [market, bytesOf(market, tick)]))
    let i = 0
    // The processes connected their clients one after the other.
    for (const clients of this.#clients) {
      for (let n = 0; n < clients.count; n++) clients.bytes += bytes.get(marketOf(i++))!
    }
  }

  async #delivered(): Promise<void> {
    await Promise.all(
      this.#clients.map(async ({ child, bytes }) => {
        const received = once(child, 'message')
        child.send({ bytes })
        await received
      }),
    )
  }
}

const marketOf = (i: number): string => markets[i % markets.length]!

/** The sockets' room of a clone, by its present or its former name. */
async function loadTree(root: string): Promise<Tree> {
  const room = [join(root, 'server', 'sockets'), join(root, 'server', 'gateway', 'socket')].find((one) => existsSync(one))
  if (room === undefined) throw new Error(`${root} has no sockets to compare with`)
  const load = async <Name extends keyof Tree>(file: string): Promise<Pick<Tree, Name>> => import(join(room, file))
  return {
    ...(await load<'Connection'>('connection.ts')),
    ...(await load<'Fanout'>('fanout.ts')),
    ...(await load<'makeUpgrade'>('upgrade.ts')),
  }
}
