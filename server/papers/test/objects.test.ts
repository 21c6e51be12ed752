import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import S3rver from 's3rver'
import { Seal, SealFault } from '../../identity/seal.ts'
import { ServerKeys } from '../../identity/server-keys.ts'
import { closeFile, openFile } from '../envelope.ts'
import { DiskObjects, newObjectName, type Objects } from '../objects.ts'
import { S3Objects } from '../s3-objects.ts'

let folder: string
let s3: S3rver
let url: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-objects-'))
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'photos', configs: [] }],
  })
  const { port } = await s3.run()
  url = `http://127.0.0.1:${port}/photos`
})
after(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const places: Readonly<Record<string, () => Objects>> = {
  disk: () => new DiskObjects(join(folder, 'disk')),
  s3: () => new S3Objects({ url, region: 'us-east-1', keyId: 'S3RVER', secret: 'S3RVER' }),
}

for (const [name, open] of Object.entries(places))
  test(`PAPERS-PLACE-001: ${name} gives back what it was given, and nothing after it was deleted`, async () => {
    const objects = open()
    const [one, other] = [newObjectName(), newObjectName()]
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at & 0xff))
    await objects.put(one, bytes)
    await objects.put(other, Buffer.from('other'))
    assert.deepEqual(await objects.get(one), bytes)
    await objects.delete(one)
    await objects.delete(one)
    assert.equal(await objects.get(one), undefined)
    assert.equal((await objects.get(other))?.toString(), 'other')
  })

test('PAPERS-PLACE-001: a store that answers 404 to a second deletion, or 500, is understood', async () => {
  let [status, body] = [404, '']
  const store = createServer((_request, response) => response.writeHead(status, { 'content-type': 'application/xml' }).end(body))
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve))
  const { port } = store.address() as AddressInfo
  const objects = new S3Objects({ url: `http://127.0.0.1:${port}/photos`, region: 'auto', keyId: 'ID', secret: 'SECRET' })
  try {
    await objects.delete(newObjectName())
    assert.equal(await objects.get(newObjectName()), undefined)
    body = '<Error><Code>NoSuchBucket</Code></Error>'
    await assert.rejects(objects.delete(newObjectName()), /NoSuchBucket/, 'the files of a bucket that is misnamed are not gone')
    status = 500
    await assert.rejects(objects.delete(newObjectName()))
    await assert.rejects(objects.get(newObjectName()))
    await assert.rejects(objects.put(newObjectName(), Buffer.from('x')))
  } finally {
    store.closeAllConnections()
    store.close()
  }
})

test('PAPERS-PLACE-002: on disk only the owner of the process can read, and names lead nowhere else', async () => {
  const objects = new DiskObjects(join(folder, 'modes'))
  const name = newObjectName()
  await objects.put(name, Buffer.from('x'))
  const [inner] = await readdir(join(folder, 'modes'))
  assert.equal((await stat(join(folder, 'modes', inner!))).mode & 0o077, 0)
  assert.equal((await stat(join(folder, 'modes', inner!, name))).mode & 0o077, 0)
  for (const bad of ['../../etc/passwd', '', `${name}/..`, name.toUpperCase() + 'Z']) {
    await assert.rejects(objects.get(bad), RangeError)
    await assert.rejects(objects.put(bad, Buffer.from('x')), RangeError)
  }
})

test('PAPERS-PLACE-003: on disk a file that was begun and never finished is deleted with its name', async () => {
  const objects = new DiskObjects(join(folder, 'parts'))
  const name = newObjectName()
  const inner = join(folder, 'parts', name.slice(0, 2))
  await mkdir(inner, { recursive: true })
  await writeFile(join(inner, `${name}.part`), 'half')
  await objects.delete(name)
  assert.deepEqual(await readdir(inner), [])
})

test('PAPERS-SECRET-002: each file has a key of its own, bound to its name and changed by no rotation of the server key', () => {
  const [old, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
  const seal = new Seal(ServerKeys.of(old), 'paper-photos')
  const bytes = Buffer.from('a photo')
  const [one, other] = [closeFile(bytes, seal, 'one'), closeFile(bytes, seal, 'other')]
  assert.notDeepEqual(one.file.subarray(29), other.file.subarray(29))
  assert.deepEqual(openFile(one, seal, 'one'), bytes)
  assert.throws(() => openFile(one, seal, 'other'), SealFault)
  assert.throws(() => openFile({ ...one, file: other.file }, seal, 'one'), SealFault)
  assert.throws(() => openFile({ ...one, file: Buffer.concat([one.file.subarray(0, -1), Buffer.of(0)]) }, seal, 'one'), SealFault)
  const rotated = new Seal(ServerKeys.of(next, old), 'paper-photos')
  const key = rotated.renew(one.key, 'one')!
  const after = new Seal(ServerKeys.of(next), 'paper-photos')
  assert.deepEqual(openFile({ file: one.file, key }, after, 'one'), bytes)
})
