import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Refused } from '../refused.ts'
import { formatOf } from './image-format.ts'
import { type ImageAnswer, imageBytesMax } from './image-limits.ts'

export type Photo = { readonly jpeg: Buffer; readonly width: number; readonly height: number }

export type ImagesOptions = {
  readonly path?: string
  /** A photo that takes longer counts as unreadable. */
  readonly limitMs?: number
  /** Photos that may wait. */
  readonly waitingMax?: number
  /** The process ends after this time without a photo. */
  readonly idleMs?: number
}

type Waiting = { readonly bytes: Buffer; resolve(photo: Photo): void; reject(cause: unknown): void }

const program = fileURLToPath(new URL('image-process.ts', import.meta.url))
/** Decoding needs no more of the JavaScript heap; pixels lie outside it. */
const heapMb = 64

/** Reads photos, one after the other, in a process of its own that starts with the first. */
export class Images implements Disposable {
  readonly #options: Required<ImagesOptions>
  readonly #waiting: Waiting[] = []
  #child: ChildProcess | undefined
  #now: { readonly id: number; readonly photo: Waiting; readonly timer: NodeJS.Timeout } | undefined
  #idle: NodeJS.Timeout | undefined
  #count = 0

  constructor({ path = program, limitMs = 15_000, waitingMax = 16, idleMs = 60_000 }: ImagesOptions = {}) {
    this.#options = { path, limitMs, waitingMax, idleMs }
  }

  /** The process that decodes now, if one runs. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * The photo as a new JPEG. Refused: IMAGE_KIND, IMAGE_TOO_LARGE, IMAGE_TOO_SMALL, IMAGE_UNREADABLE; UNAVAILABLE when too many wait.
   */
  async read(bytes: Buffer): Promise<Photo> {
    if (bytes.length > imageBytesMax) throw new Refused('IMAGE_TOO_LARGE')
    if (formatOf(bytes) === undefined) throw new Refused('IMAGE_KIND')
    if (this.#waiting.length >= this.#options.waitingMax) throw new Refused('UNAVAILABLE', { retryAfter: 5 })
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject })
      this.#next()
    })
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle)
    this.#stop(new Refused('UNAVAILABLE'))
    for (const photo of this.#waiting.splice(0)) photo.reject(new Refused('UNAVAILABLE'))
  }

  #next(): void {
    if (this.#now !== undefined) return
    const photo = this.#waiting.shift()
    clearTimeout(this.#idle)
    if (photo === undefined) {
      this.#idle = setTimeout(() => this.#stop(undefined), this.#options.idleMs).unref()
      return
    }
    const id = ++this.#count
    const timer = setTimeout(() => this.#stop(new Refused('IMAGE_UNREADABLE')), this.#options.limitMs)
    this.#now = { id, photo, timer }
    this.#child ??= this.#start()
    this.#child.send({ id, bytes: photo.bytes })
  }

  #start(): ChildProcess {
    const { path } = this.#options
    const child = fork(path, [], {
      serialization: 'advanced',
      env: {},
      execArgv: [`--max-old-space-size=${heapMb}`, '--permission', '--allow-addons', '--allow-fs-read=*', '--no-warnings'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('message', (answer) => this.#answered(child, answer as ImageAnswer))
    // It ended itself, or its decoder crashed: the photo is to blame.
    child.on('exit', () => this.#gone(child, new Refused('IMAGE_UNREADABLE')))
    child.on('error', (cause) => this.#gone(child, cause))
    return child
  }

  #answered(child: ChildProcess, answer: ImageAnswer): void {
    if (child !== this.#child || this.#now?.id !== answer.id) return
    const { photo, timer } = this.#now
    clearTimeout(timer)
    this.#now = undefined
    if ('refusal' in answer) photo.reject(new Refused(answer.refusal))
    else photo.resolve({ jpeg: Buffer.from(answer.jpeg), width: answer.width, height: answer.height })
    this.#next()
  }

  #gone(child: ChildProcess, cause: unknown): void {
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
