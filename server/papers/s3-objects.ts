import { S3mini, S3ServiceError } from 's3mini'
import type { Objects } from './objects.ts'

export type S3Options = {
  /** URL of the bucket: https://host/bucket */
  readonly url: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

/** A bucket of any store that speaks S3. */
export class S3Objects implements Objects {
  readonly #bucket: S3mini

  constructor({ url, region, keyId, secret }: S3Options) {
    this.#bucket = new S3mini({ endpoint: url, region, accessKeyId: keyId, secretAccessKey: secret, requestAbortTimeout: 20_000 })
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const { ok, status } = await this.#bucket.putObject(name, bytes, 'application/octet-stream')
    if (!ok) throw new Error(`The store answered ${status} to a new object`)
  }

  async get(name: string): Promise<Buffer | undefined> {
    const bytes = await this.#bucket.getObjectArrayBuffer(name)
    return bytes === null ? undefined : Buffer.from(bytes)
  }

  async delete(name: string): Promise<void> {
    try {
      await this.#bucket.deleteObject(name)
    } catch (cause) {
      // Some stores say so of an object that isn't there. A missing bucket is another matter: its files may be elsewhere.
      if (!(cause instanceof S3ServiceError && cause.status === 404 && cause.serviceCode !== 'NoSuchBucket')) throw cause
    }
  }

  /** Names of all objects that begin so. throws Error when the bucket does not exist */
  async list(prefix: string): Promise<readonly string[]> {
    const objects = await this.#bucket.listObjects('/', prefix)
    if (objects === null) throw new Error('The bucket does not exist')
    return objects.map(({ Key }) => Key)
  }
}
