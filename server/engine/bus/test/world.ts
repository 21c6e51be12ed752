/** Engines and clients on a bus of their own. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { type Bus, openBus } from '../../../bus/bus.ts'
import { NatsNode } from '../../../bus/test/nats-node.ts'
import { connectLink } from '../../connect-link.ts'
import type { Engine } from '../../engine.ts'
import type { Link } from '../../link.ts'
import type { FakeEngine } from '../../test/fake-engine.ts'
import type { Beacon } from '../beacon.ts'
import { dialLeader } from '../dial-leader.ts'
import { serveBus } from '../serve-bus.ts'

const realServer = '/usr/sbin/nats-server'
export const hasRealServer = existsSync(realServer)

export class BusWorld implements AsyncDisposable {
  readonly #parts = new AsyncDisposableStack()
  readonly #url: string
  readonly node: NatsNode | undefined

  private constructor(url: string, node?: NatsNode) {
    this.#url = url
    this.node = node
  }

  static async start(): Promise<BusWorld & { readonly node: NatsNode }> {
    const node = await NatsNode.start()
    const world = new BusWorld(node.url, node)
    world.#parts.use(node)
    return world as BusWorld & { readonly node: NatsNode }
  }

  /** On a server as operators run it. */
  static async startReal(): Promise<BusWorld> {
    const port = await freePort()
    const server = spawn(realServer, ['-a', '127.0.0.1', '-p', String(port), '--user', 'candor', '--pass', 'p@ss'], { stdio: 'ignore' })
    const ended = new Promise((resolve) => server.once('exit', resolve))
    const world = new BusWorld(`nats://candor:p%40ss@127.0.0.1:${port}`)
    world.#parts.defer(async () => {
      server.kill()
      await ended
    })
    return world
  }

  async bus(name = 'test'): Promise<Bus> {
    return this.#parts.use(await openBus({ url: this.#url, name }))
  }

  /** An engine on the bus, until `stop` is called. */
  async serve(engine: Engine | FakeEngine): Promise<{ readonly bus: Bus; stop(): void }> {
    const bus = await this.bus('engine')
    const served = this.#parts.use(serveBus(engine as Engine, bus))
    return { bus, stop: () => served[Symbol.dispose]() }
  }

  /** A client, connected to the engine that leads. */
  async link(resendMs = 0, onBeacon?: (beacon: Beacon) => void): Promise<Link> {
    const bus = await this.bus('client')
    return this.#parts.use(await connectLink(dialLeader(bus, onBeacon), { resendMs }))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
