/** The other end of the signer's link: for the programs that pay, reconcile, and keep customers' passkeys. */
import { connect, type Socket } from 'node:net'
import type { Signed } from '../ports.ts'
import { FrameReader, frame } from './frames.ts'
import { SignerRefused } from './reasons.ts'
import type { Answer, RequestJson, Status } from './wire.ts'

type JsonOf<Kind extends RequestJson['kind']> = Omit<Extract<RequestJson, { kind: Kind }>, 'kind'>

/** Answers in the order of the requests. A lost link leaves the fate of a request open: it may be sent again as it was. */
export class SignerLink implements Disposable {
  readonly #socket: Socket
  #waiting: { readonly resolve: (answer: Answer) => void; readonly reject: (cause: Error) => void }[] = []

  private constructor(socket: Socket) {
    this.#socket = socket
    const reader = new FrameReader((text) => this.#waiting.shift()?.resolve(JSON.parse(text) as Answer))
    socket.on('data', (chunk: Buffer) => reader.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const lost = this.#waiting
      this.#waiting = []
      for (const { reject } of lost) reject(new Error('The link to the signer broke'))
    })
  }

  /** throws  Error when no signer listens at the path */
  static open(path: string): Promise<SignerLink> {
    return new Promise((resolve, reject) => {
      const socket = connect(path)
      socket.once('error', reject)
      socket.once('connect', () => resolve(new SignerLink(socket)))
    })
  }

  /** throws  SignerRefused with the reason, Error when the link broke */
  async sign(request: JsonOf<'sign'>): Promise<Signed> {
    return signedOf(await this.#ask({ kind: 'sign', ...request }))
  }

  /** A sweep's transaction. The same request gives the same one again. throws  SignerRefused with the reason, Error when the link broke */
  async sweep(request: JsonOf<'sweep'>): Promise<Signed> {
    return signedOf(await this.#ask({ kind: 'sweep', ...request }))
  }

  /** A transaction that gives a deposit address of TRON coins for its sweep. */
  async fuel(request: JsonOf<'fuel'>): Promise<Signed> {
    return signedOf(await this.#ask({ kind: 'fuel', ...request }))
  }

  async beat(request: JsonOf<'heartbeat'>): Promise<void> {
    await this.#ask({ kind: 'heartbeat', ...request })
  }

  /** The deposit address at a place, signed for this customer. A place that another customer has is refused. */
  async issue(about: JsonOf<'address.issue'>): Promise<{ readonly address: string; readonly signature: Uint8Array<ArrayBuffer> }> {
    const answer = await this.#ask({ kind: 'address.issue', ...about })
    if (!('issued' in answer)) throw new Error('The signer answered something else')
    const { address, signature } = answer.issued
    return { address, signature: Uint8Array.from(Buffer.from(signature, 'hex')) }
  }

  /** Promises that nothing is ever signed for this withdrawal. throws  SignerRefused ALREADY_BOUND once something may have been */
  async end(request: JsonOf<'end'>): Promise<void> {
    await this.#ask({ kind: 'end', ...request })
  }

  async addKey(request: JsonOf<'key.add'>): Promise<void> {
    await this.#ask({ kind: 'key.add', ...request })
  }

  async removeKey(request: JsonOf<'key.remove'>): Promise<void> {
    await this.#ask({ kind: 'key.remove', ...request })
  }

  async status(): Promise<Status> {
    const answer = await this.#ask({ kind: 'status' })
    if (!('status' in answer)) throw new Error('The signer answered something else')
    return answer.status
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }

  async #ask(request: RequestJson): Promise<Extract<Answer, { ok: true }>> {
    const bytes = frame(request)
    const answer = await new Promise<Answer>((resolve, reject) => {
      if (!this.#socket.writable) return reject(new Error('The link to the signer broke'))
      this.#waiting.push({ resolve, reject })
      this.#socket.write(bytes)
    })
    if (!answer.ok) throw new SignerRefused(answer.reason)
    return answer
  }
}

function signedOf(answer: Answer): Signed {
  if (!('signed' in answer)) throw new Error('The signer answered something else')
  return answer.signed
}
