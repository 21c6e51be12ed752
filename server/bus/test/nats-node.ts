import { createServer, type AddressInfo, type Socket } from 'node:net'

type Rights = { readonly publish: readonly string[]; readonly subscribe: readonly string[] }
type Sub = { readonly socket: Socket; readonly sid: string; readonly subject: string; readonly isEchoed: boolean }

/**
 * A NATS server for tests: core subjects with wildcards, users with rights, no clustering. It can lose messages, and cut all connections.
 */
export class NatsNode implements AsyncDisposable {
  readonly url: string
  /** Returns whether a message is lost. */
  isLost: (subject: string, body: Buffer) => boolean = () => false
  /** What a user may send and hear; undefined: everything. */
  rightsOf: (user: string) => Rights | undefined = () => undefined
  payloadMax = 1_048_576
  /** Returns whether a user may not connect. */
  isRefused: (user: string) => boolean = () => false
  /** What somebody did without the right to, such as "gateway sends candor.released". It has no effect. */
  readonly offences = new Set<string>()
  readonly #sockets = new Set<Socket>()
  readonly #subs = new Set<Sub>()
  readonly #close: () => Promise<void>
  #isRefusing = false

  private constructor(server: ReturnType<typeof createServer>) {
    this.url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('connection', (socket) => this.#serve(socket))
    this.#close = () => new Promise((resolve) => server.close(() => resolve()))
  }

  static async start(): Promise<NatsNode> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new NatsNode(server)
  }

  /** Ends all connections, and refuses new ones until `back`. */
  cut(): void {
    this.#isRefusing = true
    for (const socket of this.#sockets) socket.destroy()
  }

  back(): void {
    this.#isRefusing = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    await this.#close()
  }

  #serve(socket: Socket): void {
    if (this.#isRefusing) return void socket.destroy()
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      for (const sub of this.#subs) if (sub.socket === socket) this.#subs.delete(sub)
    })
    socket.write(`INFO {"server_id":"test","version":"2.9.10","proto":1,"max_payload":${this.payloadMax},"headers":true}\r\n`)
    let held = Buffer.alloc(0)
    let isEchoed = true
    let user = ''
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      for (;;) {
        const end = held.indexOf('\r\n')
        if (end < 0) return
        const words = held.toString('latin1', 0, end).split(' ')
        const verb = words[0]!.toUpperCase()
        const bytes = verb === 'PUB' ? Number(words.at(-1)) : undefined
        const next = end + 2 + (bytes === undefined ? 0 : bytes + 2)
        if (held.length < next) return
        const body = Buffer.from(held.subarray(end + 2, end + 2 + (bytes ?? 0)))
        const options = verb === 'CONNECT' ? (JSON.parse(held.toString('utf8', 8, end)) as { echo?: boolean; user?: string }) : undefined
        held = held.subarray(next)
        if (options) {
          isEchoed = options.echo !== false
          user = options.user ?? ''
          if (this.isRefused(user)) return void socket.end("-ERR 'Authorization Violation'\r\n")
        } else if (verb === 'PING') socket.write('PONG\r\n')
        else if (verb === 'SUB' && this.#may(user, 'subscribe', words[1]!))
          this.#subs.add({ socket, sid: words.at(-1)!, subject: words[1]!, isEchoed })
        else if (verb === 'UNSUB') {
          for (const sub of this.#subs) if (sub.socket === socket && sub.sid === words[1]) this.#subs.delete(sub)
        } else if (verb === 'PUB' && this.#may(user, 'publish', words[1]!)) this.#deliver(socket, words[1]!, body)
      }
    })
  }

  #may(user: string, what: keyof Rights, subject: string): boolean {
    const isAllowed = this.rightsOf(user)?.[what].some((pattern) => matches(pattern, subject)) ?? true
    if (!isAllowed) this.offences.add(`${user} ${what === 'publish' ? 'sends' : 'hears'} ${subject}`)
    return isAllowed
  }

  #deliver(from: Socket, subject: string, body: Buffer): void {
    if (this.isLost(subject, body)) return
    for (const { socket, sid, subject: pattern, isEchoed } of this.#subs) {
      if ((socket === from && !isEchoed) || !matches(pattern, subject)) continue
      socket.write(Buffer.concat([Buffer.from(`MSG ${subject} ${sid} ${body.length}\r\n`), body, Buffer.from('\r\n')]))
    }
  }
}

function matches(pattern: string, subject: string): boolean {
  const parts = subject.split('.')
  const wanted = pattern.split('.')
  return (
    wanted.every((word, n) => word === '*' || word === '>' || word === parts[n]) &&
    (wanted.at(-1) === '>' || wanted.length === parts.length)
  )
}
