/** The other end of the signer's link: for the programs that pay, reconcile, and keep customers' passkeys. */
import { connect, type Socket } from 'node:net'
import type { Signed } from '../ports.ts'
import { FrameReader, frame, frameMax } from './frames.ts'
import { SignerRefused } from './reasons.ts'
import { type Answer, type Possessed, type RequestJson, type SignAnswer, signMax, type Status } from './wire.ts'

/** Of payments in one frame; the rest is the frame's own form. */
const frameBytes = frameMax / 2

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

  /** Several payments of different withdrawals, in their order: what was signed of each, or why not. throws  Error when the link broke */
  async signAll(requests: readonly JsonOf<'sign'>[]): Promise<readonly (Signed | SignerRefused)[]> {
    const answers = await Promise.all(inFrames(requests).map((each) => this.#signFrame(each)))
    return answers.flat().map((answer) => (answer.ok ? answer.signed : new SignerRefused(answer.reason)))
  }

  /** A sweep's transaction. The same request gives the same one again. throws  SignerRefused with the reason, Error when the link broke */
  async sweep(request: JsonOf<'sweep'>): Promise<Signed> {
    return signedOf(await this.#ask({ kind: 'sweep', ...request }))
  }

  /** A transaction that gives a deposit address of TRON coins for its sweep. */
  async fuel(request: JsonOf<'fuel'>): Promise<Signed> {
    return signedOf(await this.#ask({ kind: 'fuel', ...request }))
  }

  /** The signature that an address is the exchange's, as hex. The same request gives it again on the same day. */
  async possess(request: JsonOf<'possess'>): Promise<Possessed> {
    const answer = await this.#ask({ kind: 'possess', ...request })
    if (!('possessed' in answer)) throw new Error('The signer answered something else')
    return answer.possessed
  }

  /** The transaction that carries a day's head. The same request gives the same one again. */
  async anchor(request: JsonOf<'anchor'>): Promise<Signed> {
    return signedOf(await this.#ask({ kind: 'anchor', ...request }))
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

  /** A refusal of all together is one of each. */
  async #signFrame(requests: readonly JsonOf<'sign'>[]): Promise<readonly SignAnswer[]> {
    try {
      const answer = await this.#ask({ kind: 'sign.all', requests: requests.map((each) => ({ kind: 'sign', ...each })) })
      if (!('all' in answer)) throw new Error('The signer answered something else')
      return answer.all
    } catch (cause) {
      if (!(cause instanceof SignerRefused)) throw cause
      if (cause.reason === 'BAD_REQUEST' && requests.length > 1) return this.#signEach(requests)
      return requests.map(() => ({ ok: false, reason: cause.reason }))
    }
  }

  /** One that the signer can't read keeps it from no other. */
  async #signEach(requests: readonly JsonOf<'sign'>[]): Promise<readonly SignAnswer[]> {
    const answers: SignAnswer[] = []
    for (const request of requests) answers.push(...(await this.#signFrame([request])))
    return answers
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

/** Cut so that none is longer than the signer reads. */
function inFrames<Each>(requests: readonly Each[]): readonly (readonly Each[])[] {
  const frames: Each[][] = []
  let room = 0
  for (const request of requests) {
    const length = JSON.stringify(request).length
    if (length > room || frames.at(-1)!.length === signMax) {
      frames.push([])
      room = frameBytes
    }
    frames.at(-1)!.push(request)
    room -= length
  }
  return frames
}

function signedOf(answer: Answer): Signed {
  if (!('signed' in answer)) throw new Error('The signer answered something else')
  return answer.signed
}
