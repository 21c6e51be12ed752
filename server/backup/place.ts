import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { diskSpace, isFull } from '../engine/disk.ts'
import { bucketOf } from '../papers/photo-place.ts'
import { S3Objects } from '../papers/s3-objects.ts'
import { BackupFault, NoRoom } from './fault.ts'
import { gigabytes } from './upgrade.ts'

/** Where a backup is kept: named objects, in a folder or a bucket. Names are `kind/name`. */
export type Place = {
  /** For people, without secrets. */
  readonly where: string
  put(name: string, bytes: Buffer): Promise<void>
  /** Undefined when there is no such object. */
  get(name: string): Promise<Buffer | undefined>
  delete(name: string): Promise<void>
  /** Names of all objects of a kind, sorted. */
  list(kind: string): Promise<readonly string[]>
  /** Resolves when everything that was put survives a power cut. */
  settle(): Promise<void>
  /** Removes what an interrupted `put` left. Nobody else may be writing. */
  clean(): Promise<void>
}

/** throws  BackupFault when the URL is neither `file:///folder` nor `s3+https://KEY_ID:SECRET@HOST/BUCKET` */
export function openPlace(url: string, space = diskSpace): Place {
  if (url.startsWith('file:///')) return new FolderPlace(fileURLToPath(url), space)
  let bucket: ReturnType<typeof bucketOf>
  try {
    bucket = bucketOf(url)
  } catch (cause) {
    throw new BackupFault(`The address of the backup is not valid: ${(cause as Error).message}`)
  }
  if (bucket === undefined)
    throw new BackupFault('A backup goes to file:///FOLDER or to s3+https://KEY_ID:SECRET@HOST/BUCKET?region=REGION')
  if (new URL(bucket.url).pathname.split('/').length > 2) throw new BackupFault('A backup takes a bucket of its own, not a folder of one')
  return new BucketPlace(new S3Objects(bucket), bucket.url)
}

const unfinished = '.part'
/** Free space that a store leaves beyond the limit at which an exchange pauses. The smaller of the two counts. */
const spareBytes = 1024 ** 3
const spareShare = 0.05

/** A folder on this machine or a mounted disk. */
class FolderPlace implements Place {
  readonly where: string
  readonly #folder: string
  readonly #space: typeof diskSpace
  /** Folders with names that may not be on disk yet. */
  readonly #changed = new Set<string>()

  constructor(folder: string, space: typeof diskSpace) {
    this.#folder = folder
    this.#space = space
    this.where = folder
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const path = this.#path(name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const { free, total } = await this.#space(this.#folder)
    // An exchange pauses when its disk is nearly full, and this may be its disk: so it is where another one is not mounted.
    if (isFull({ free: free - Math.min(spareBytes, total * spareShare), total }))
      throw new NoRoom(`The disk of ${this.#folder} has ${gigabytes(free)} free: nothing more is stored there`)
    const file = await open(path + unfinished, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(path + unfinished, path)
    this.#changed.add(dirname(path))
  }

  async get(name: string): Promise<Buffer | undefined> {
    return await readFile(this.#path(name)).catch(unlessMissing)
  }

  async delete(name: string): Promise<void> {
    await rm(this.#path(name), { force: true })
  }

  async list(kind: string): Promise<readonly string[]> {
    const paths = await this.#files(kind)
    return paths
      .filter((path) => !path.endsWith(unfinished))
      .map((path) => `${kind}/${path.slice(path.lastIndexOf('/') + 1)}`)
      .toSorted()
  }

  async settle(): Promise<void> {
    const folders = new Set([...this.#changed].flatMap((folder) => [folder, dirname(folder), dirname(dirname(folder))]))
    for (const folder of folders) await syncFolder(folder)
    this.#changed.clear()
  }

  async clean(): Promise<void> {
    for (const kind of kinds)
      for (const path of await this.#files(kind)) if (path.endsWith(unfinished)) await rm(join(this.#folder, path), { force: true })
  }

  /** Paths of a kind, from the folder, with `/` between. */
  async #files(kind: string): Promise<readonly string[]> {
    const entries = (await readdir(join(this.#folder, kind), { recursive: true, withFileTypes: true }).catch(unlessMissing)) ?? []
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(this.#folder.length + 1)
          .replaceAll('\\', '/'),
      )
  }

  /** Two letters as a folder, so that none gets too many entries. */
  #path(name: string): string {
    const [kind = '', own = ''] = name.split('/')
    return kind === 'chunks' ? join(this.#folder, kind, own.slice(0, 2), own) : join(this.#folder, kind, own)
  }
}

/** Kinds of objects. */
const kinds = ['chunks', 'runs', 'pending'] as const

const triesMax = 4

/** A bucket of any store that speaks S3. What fails is tried again. */
class BucketPlace implements Place {
  readonly where: string
  readonly #objects: S3Objects

  constructor(objects: S3Objects, url: string) {
    this.#objects = objects
    this.where = url
  }

  put(name: string, bytes: Buffer): Promise<void> {
    return again(() => this.#objects.put(name, bytes))
  }

  get(name: string): Promise<Buffer | undefined> {
    return again(() => this.#objects.get(name))
  }

  delete(name: string): Promise<void> {
    return again(() => this.#objects.delete(name))
  }

  async list(kind: string): Promise<readonly string[]> {
    return (await again(() => this.#objects.list(`${kind}/`))).toSorted()
  }

  /** The store answers when an object is durable. */
  async settle(): Promise<void> {}

  /** An object that was not sent to its end does not exist. */
  async clean(): Promise<void> {}
}

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (cause) {
      if (tries === triesMax) throw new BackupFault(`The store of the backup fails: ${(cause as Error).message}`, { cause })
      await sleep(250 * 2 ** tries)
    }
  }
}

function unlessMissing(cause: unknown): undefined {
  if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
  throw cause
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder).catch(unlessMissing)
  await handle?.sync().finally(() => handle.close())
}
