import { connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy on loopback before a database server, which can cut, refuse, freeze, or redirect connections. */
export class FaultyProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #port: number
  #isFrozen = false
  #isRefusing = false

  private constructor(port: number) {
    this.#port = port
    // A frozen machine's kernel still accepts connections; nothing answers on them.
    this.#server = createServer({ pauseOnConnect: true }, (near) => this.#join(near))
  }

  /** The URL of the same database through the proxy. */
  static async start(url: string): Promise<{ readonly proxy: FaultyProxy; readonly url: string }> {
    const through = new URL(url)
    const proxy = new FaultyProxy(Number(through.port))
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    through.port = String((proxy.#server.address() as { port: number }).port)
    return { proxy, url: through.href }
  }

  /** Ends every connection at once, without a farewell message. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing
    if (isRefusing) this.cut()
  }

  /** No bytes pass in either direction, and none are lost. */
  freeze(isFrozen: boolean): void {
    this.#isFrozen = isFrozen
    for (const socket of this.#sockets) {
      if (isFrozen) socket.pause()
      else socket.resume()
    }
  }

  /** From now on new connections go to another server. */
  leadTo(port: number): void {
    this.#port = port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #join(near: Socket): void {
    if (this.#isRefusing) return void near.resetAndDestroy()
    const far = connect({ port: this.#port, host: '127.0.0.1' })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one)
      one.on('data', (bytes: Buffer) => void other.write(bytes))
      one.on('error', () => undefined)
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
      if (this.#isFrozen) one.pause()
      else one.resume()
    }
  }
}
