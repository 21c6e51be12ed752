import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy between a client and a TCP server that can cut the connection or hold answers back. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #isHoldingAnswers = false
  #isRefusing = false
  #onRequest: (bytes: Buffer) => void = () => undefined

  private constructor(host: string, port: number) {
    this.#server = createServer((near) => {
      if (this.#isRefusing) {
        near.destroy()
        return
      }
      const far = connect(port, host)
      const pair = [near, far] as const
      this.#pairs.add(pair)
      near.on('data', (bytes: Buffer) => {
        far.write(bytes)
        this.#onRequest(bytes)
      })
      far.on('data', (bytes: Buffer) => this.#isHoldingAnswers || near.write(bytes))
      for (const socket of pair) {
        socket.on('error', () => undefined)
        socket.on('close', () => {
          near.destroy()
          far.destroy()
          this.#pairs.delete(pair)
        })
      }
    })
  }

  /** The URL of the same database through the proxy. */
  static async start(url: string): Promise<{ proxy: CuttingProxy; url: string }> {
    const through = new URL(url)
    const proxy = new CuttingProxy(through.hostname, Number(through.port))
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    through.port = String((proxy.#server.address() as { port: number }).port)
    return { proxy, url: through.href }
  }

  cut(): void {
    for (const [near] of this.#pairs) near.destroy()
  }

  /** Requests still reach the server; its answers are lost. */
  holdAnswers(isHolding: boolean): void {
    this.#isHoldingAnswers = isHolding
  }

  refuseConnections(isRefusing: boolean): void {
    this.#isRefusing = isRefusing
  }

  onRequest(listener: (bytes: Buffer) => void): void {
    this.#onRequest = listener
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
