import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Keeps encrypted files under names without meaning. Either way of keeping them gives the same answers. */
export type Objects = {
  /** Resolves when the file is durable. Names are new: none is written twice. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Undefined when there is no such file. */
  get(name: string): Promise<Buffer | undefined>
  /** Deleting what isn't there is no fault. */
  delete(name: string): Promise<void>
}

export const newObjectName = (): string => randomUUID()

/** A folder on this machine, readable by the exchange's user only. */
export class DiskObjects implements Objects {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const path = this.#path(name)
    const folder = join(path, '..')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const part = `${path}.part`
    const file = await open(part, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
    // The name itself is durable once its folder is.
    const names = await open(folder)
    await names.sync().finally(() => names.close())
  }

  async get(name: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.#path(name))
    } catch (cause) {
      if ((cause as { code?: string }).code === 'ENOENT') return undefined
      throw cause
    }
  }

  async delete(name: string): Promise<void> {
    const path = this.#path(name)
    await rm(path, { force: true })
    // Left by a full disk, or a process that ended while it wrote.
    await rm(`${path}.part`, { force: true })
  }

  /** Two letters as a folder, so that none gets too many entries. throws RangeError for names that are none of ours */
  #path(name: string): string {
    if (!/^[0-9a-f-]{36}$/.test(name)) throw new RangeError(`${name} is not the name of an object`)
    return join(this.#folder, name.slice(0, 2), name)
  }
}
