import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Turns } from '../identity/turns.ts'
import { Refused } from '../refused.ts'
import { formatOf, startsAs } from './image-format.ts'
import { type ImageAnswer, imageBytesMax, imageRefusals, imageSideMax, imageSideMin } from './image-limits.ts'

export type Photo = { readonly jpeg: Buffer; readonly width: number; readonly height: number }

export type ImagesOptions = {
  readonly path?: string
  /** A photo that takes longer counts as unreadable. */
  readonly limitMs?: number
  /** Photos that may wait. */
  readonly waitingMax?: number
  /** The process ends after this time without a photo. */
  readonly idleMs?: number
  /** A photo with a shorter side than this is refused. Default: what documents need. */
  readonly sideMin?: number
}

type Waiting = { readonly bytes: Buffer; readonly mark?: string; resolve(photo: Photo): void; reject(cause: unknown): void }

const program = fileURLToPath(new URL('image-process.ts', import.meta.url))
/** Decoding needs no more of the JavaScript heap; pixels lie outside it. */
const heapMb = 64
const root = fileURLToPath(new URL('../../', import.meta.url))
/** What the program consists of. The server key, settings and photos lie elsewhere. */
const readable = ['server/papers/*', 'node_modules/*', 'package.json', 'server/package.json']

/** Reads photos, one after the other, in a process of its own that starts with the first. Customers take turns. */
export class Images implements Disposable {
  readonly #options: Required<ImagesOptions>
  readonly #waiting = new Turns<Waiting>()
  #waitingCount = 0
  #isClosed = false
  #child: ChildProcess | undefined
  #now: { readonly id: number; readonly photo: Waiting; readonly timer: NodeJS.Timeout } | undefined
  #idle: NodeJS.Timeout | undefined
  #count = 0

  constructor({ path = program, limitMs = 15_000, waitingMax = 16, idleMs = 60_000, sideMin = imageSideMin }: ImagesOptions = {}) {
    this.#options = { path, limitMs, waitingMax, idleMs, sideMin }
  }

  /** The process that decodes now, if one runs. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * The photo as a new JPEG. A full line loses the last photo of the owner who has most in it, so that nobody fills it alone.
   *
   * Refused: IMAGE_KIND, IMAGE_TOO_LARGE, IMAGE_TOO_SMALL, IMAGE_UNREADABLE; UNAVAILABLE when too many wait.
   */
  async read(bytes: Buffer, owner = ''): Promise<Photo> {
    if (bytes.length > imageBytesMax) throw new Refused('IMAGE_TOO_LARGE')
    // The other process walks through the whole file: here that would delay everybody.
    if (startsAs(bytes) === undefined) throw new Refused('IMAGE_KIND')
    return this.#ask({ bytes }, owner)
  }

  /** A stored photo with a text drawn over all of it, faintly. Refused: as `read`. */
  async mark(bytes: Buffer, text: string, owner = ''): Promise<Photo> {
    return this.#ask({ bytes, mark: text }, owner)
  }

  async #ask(request: Pick<Waiting, 'bytes' | 'mark'>, owner: string): Promise<Photo> {
    if (this.#isClosed) throw new Refused('UNAVAILABLE')
    if (this.#waitingCount >= this.#options.waitingMax) this.#makeRoom(owner)
    return new Promise((resolve, reject) => {
      this.#waiting.add(owner, { ...request, resolve, reject })
      this.#waitingCount++
      this.#next()
    })
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    clearTimeout(this.#idle)
    // The line first: the end of the process would otherwise start another one for it.
    for (let next = this.#take(); next !== undefined; next = this.#take()) next.reject(new Refused('UNAVAILABLE'))
    this.#stop(new Refused('UNAVAILABLE'))
    clearTimeout(this.#idle)
  }

  #makeRoom(owner: string): void {
    const dropped = this.#waiting.dropLongest(this.#waiting.waitingOf(owner) + 1)
    if (dropped === undefined) throw new Refused('UNAVAILABLE', { retryAfter: 5 })
    this.#waitingCount--
    dropped.reject(new Refused('UNAVAILABLE', { retryAfter: 5 }))
  }

  #take(): Waiting | undefined {
    const photo = this.#waiting.next()?.work
    if (photo !== undefined) this.#waitingCount--
    return photo
  }

  #next(): void {
    if (this.#now !== undefined) return
    const photo = this.#take()
    clearTimeout(this.#idle)
    if (photo === undefined) {
      this.#idle = setTimeout(() => this.#stop(undefined), this.#options.idleMs).unref()
      return
    }
    const id = ++this.#count
    const timer = setTimeout(() => this.#stop(new Refused('IMAGE_UNREADABLE')), this.#options.limitMs)
    this.#now = { id, photo, timer }
    try {
      this.#child ??= this.#start()
      this.#child.send({
        id,
        bytes: photo.bytes,
        sideMin: this.#options.sideMin,
        ...(photo.mark === undefined ? {} : { mark: photo.mark }),
      })
    } catch (cause) {
      // A machine without memory or file handles starts no process, and Node says so here. The next photo tries again.
      const child = this.#child
      child?.kill('SIGKILL')
      setImmediate(() => this.#gone(child, cause))
    }
  }

  #start(): ChildProcess {
    const { path } = this.#options
    const mayRead = readable.map((part) => `--allow-fs-read=${root}${part}`)
    const child = fork(path, [], {
      serialization: 'advanced',
      env: {},
      execArgv: [`--max-old-space-size=${heapMb}`, '--permission', '--allow-addons', ...mayRead, '--no-warnings'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('message', (answer) => this.#answered(child, answer))
    // It ended itself, or its decoder crashed: the photo is to blame.
    child.on('exit', () => this.#gone(child, new Refused('IMAGE_UNREADABLE')))
    child.on('error', (cause) => this.#gone(child, cause))
    return child
  }

  #answered(child: ChildProcess, said: unknown): void {
    if (child !== this.#child || this.#now === undefined) return
    const { id, photo, timer } = this.#now
    const answer = checked(said, id)
    // Its decoder isn't the one that was started any more: it reads no further photo.
    if (answer === undefined) return this.#stop(new Refused('IMAGE_UNREADABLE'))
    clearTimeout(timer)
    this.#now = undefined
    if ('refusal' in answer) photo.reject(new Refused(answer.refusal))
    else photo.resolve({ jpeg: answer.jpeg, width: answer.width, height: answer.height })
    this.#next()
  }

  #gone(child: ChildProcess | undefined, cause: unknown): void {
    if (child !== this.#child) return
    this.#child = undefined
    const now = this.#now
    this.#now = undefined
    clearTimeout(now?.timer)
    now?.photo.reject(cause)
    this.#next()
  }

  /** Ends the process; the photo in it gets `cause`. */
  #stop(cause: unknown): void {
    const child = this.#child
    child?.kill('SIGKILL')
    if (child !== undefined) this.#gone(child, cause)
  }
}

/** What the other process said about this photo, if it is an answer at all: a photo may have taken that process over. */
function checked(said: unknown, id: number): ImageAnswer | undefined {
  if (typeof said !== 'object' || said === null) return undefined
  const { id: about, refusal, jpeg, width, height } = said as Readonly<Record<string, unknown>>
  if (about !== id) return undefined
  const known = imageRefusals.find((one) => one === refusal)
  if (known !== undefined) return { id, refusal: known }
  if (!(jpeg instanceof Uint8Array) || jpeg.length > imageBytesMax || !isSide(width) || !isSide(height)) return undefined
  const bytes = Buffer.from(jpeg)
  return formatOf(bytes) === 'jpeg' ? { id, jpeg: bytes, width, height } : undefined
}

const isSide = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= imageSideMax
