import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JournalWriter } from '../../journal/append.ts'
import { chain, coreVersion, emptyHead, type Head } from '../../journal/row.ts'
import { migrate } from '../../store/migrate.ts'
import { openStore, type Store } from '../../store/open.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { type BackupOptions, backUp } from '../backup.ts'
import { BackupKeys } from '../keys.ts'
import { openPlace, type Place } from '../place.ts'
import { restore } from '../restore.ts'
import { type Run, Runs } from '../runs.ts'
import type { Target } from '../target.ts'

/** A data folder with a database whose journal grows row by row, and a folder for its backups. */
export class World implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'candor-backup-'))
  readonly keys = new BackupKeys(randomBytes(32))
  readonly dataFolder = join(this.folder, 'data')
  readonly photosFolder = join(this.dataFolder, 'photos')
  place: Place = openPlace(`file://${join(this.folder, 'store')}`)
  store!: Store
  writer!: JournalWriter
  head: Head = emptyHead
  #restores = 0

  /** `isOfItsOwn`: its database has a mark of its own. Those of other tests may be copies of one. */
  static async start({ isOfItsOwn = false } = {}): Promise<World> {
    const world = new World()
    mkdirSync(world.dataFolder)
    if (!isOfItsOwn) copyPrepared(world.dataFolder)
    writeFileSync(join(world.dataFolder, 'head.key'), 'the key of heads')
    world.store = await openStore({ dataFolder: world.dataFolder })
    await migrate(world.store)
    world.writer = await JournalWriter.lead(world.store.url)
    return world
  }

  /** Writes a row with `n` commands. Returns the number of the last. */
  async row(n = 1): Promise<number> {
    const batch = { seq: this.head.seq + n, n, firstAt: Date.now(), coreVersion, eventsDigest: randomBytes(32), payload: randomBytes(100) }
    const row = chain(this.head, this.writer.epoch, batch)
    await this.writer.append(row)
    this.head = row
    return row.seq
  }

  backUp(options: Partial<BackupOptions> = {}): Promise<Run> {
    const { store, dataFolder, photosFolder, place, keys } = this
    return backUp({ store, dataFolder, photosFolder, place, keys, mode: 'sandbox', version: 'test', ...options })
  }

  async runs(): Promise<readonly Run[]> {
    return (await new Runs(this.place, this.keys).kept()).runs
  }

  /** Restores into a new folder and reads its journal. */
  async restored(target: Target = { kind: 'newest' }, keys = this.keys) {
    const dataFolder = join(this.folder, `restored-${++this.#restores}`)
    const done = await restore({ place: this.place, keys, target, dataFolder })
    await using store = await openStore({ dataFolder })
    const { rows } = await store.pool.query<{ seq: number; hash: Buffer }>('select seq, hash from journal order by seq')
    return { ...done, dataFolder, rows: rows.map(({ seq, hash }) => `${seq} ${hash.toString('hex')}`) }
  }

  async rows(): Promise<readonly string[]> {
    const { rows } = await this.store.pool.query<{ seq: number; hash: Buffer }>('select seq, hash from journal order by seq')
    return rows.map(({ seq, hash }) => `${seq} ${hash.toString('hex')}`)
  }

  /** All objects of the store with their bytes. */
  async objects(): Promise<ReadonlyMap<string, Buffer>> {
    const folder = join(this.folder, 'store')
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.writer.close()
    await this.store[Symbol.asyncDispose]()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
