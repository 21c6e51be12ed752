import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { formatOf } from '../image-format.ts'
import { Images } from '../images.ts'
import { drawMark } from '../mark.ts'
import { picture, refusalOf } from './pictures.ts'

let images: Images
before(() => {
  images = new Images()
})
after(() => images[Symbol.dispose]())

const read = (bytes: Buffer) => images.read(bytes)
const stand = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

test('PAPERS-IMAGE-001: a photo becomes a new JPEG without metadata, upright, at most 2,000 pixels long', async () => {
  const taken = await sharp(await picture(3_000, 1_500))
    .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '22/1 17/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  assert.match(taken.toString('latin1'), /Exif/)
  const { jpeg, width, height } = await read(taken)
  assert.deepEqual([width, height], [1_000, 2_000])
  const { exif, icc, iptc, xmp, orientation, format } = await sharp(jpeg).metadata()
  assert.deepEqual({ exif, icc, iptc, xmp, orientation, format }, { ...none, format: 'jpeg' })
  assert.doesNotMatch(jpeg.toString('latin1'), /Exif|GPS|Camera/)
})

const none = { exif: undefined, icc: undefined, iptc: undefined, xmp: undefined, orientation: undefined }

test('PAPERS-IMAGE-001: a transparent PNG becomes a JPEG on white', async () => {
  const clear = await sharp({ create: { width: 700, height: 700, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toBuffer()
  const { jpeg } = await read(clear)
  const { data } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  assert.ok(data.every((value) => value > 250))
})

test('PAPERS-IMAGE-002: only whole JPEG and PNG files are read', async () => {
  const jpeg = await picture(700, 700)
  const gif = await sharp(jpeg).gif().toBuffer()
  const webp = await sharp(jpeg).webp().toBuffer()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="700" height="700"><script>1</script></svg>')
  const archive = Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004 an archive behind a photo')])
  const page = Buffer.concat([await sharp(jpeg).png().toBuffer(), Buffer.from('<html><script>1</script></html>')])
  for (const bytes of [gif, webp, svg, archive, page, Buffer.alloc(0), Buffer.from([0xff, 0xd8]), Buffer.from('%PDF-1.7')])
    assert.equal(await refusalOf(read(bytes)), 'IMAGE_KIND')
})

test('PAPERS-IMAGE-002: a progressive JPEG and one with fill bytes are whole files', async () => {
  const progressive = await sharp(await picture(700, 700))
    .jpeg({ progressive: true })
    .toBuffer()
  assert.equal(formatOf(progressive), 'jpeg')
  const filled = Buffer.concat([progressive.subarray(0, 2), Buffer.of(0xff, 0xff), progressive.subarray(2)])
  assert.equal(formatOf(filled), 'jpeg')
  assert.equal((await read(progressive)).width, 700)
})

test('PAPERS-IMAGE-003: a photo that is cut off or damaged is refused', async () => {
  const jpeg = await picture(1_200, 900)
  const cut = Buffer.concat([jpeg.subarray(0, jpeg.length >> 1), Buffer.of(0xff, 0xd9)])
  assert.equal(await refusalOf(read(cut)), 'IMAGE_UNREADABLE')
})

test('PAPERS-IMAGE-004: too few pixels, too many and too many bytes are refused', async () => {
  assert.equal(await refusalOf(read(await picture(2_000, 599))), 'IMAGE_TOO_SMALL')
  assert.equal(await refusalOf(read(Buffer.alloc(10 * 1024 * 1024 + 1))), 'IMAGE_TOO_LARGE')
})

test('PAPERS-IMAGE-005: pictures of a hundred million pixels, real or claimed, are refused in bounded memory', async () => {
  const large = await sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  assert.equal(await refusalOf(read(large)), 'IMAGE_TOO_LARGE')
  assert.equal(await refusalOf(read(bomb(65_000, 65_000))), 'IMAGE_TOO_LARGE')
  await read(await picture(6_000, 6_000))
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${images.pid}/status`, 'utf8'))
  assert.ok(Number(peak?.[1]) < 600 * 1024, `${peak?.[1]} kB`)
})

/** A PNG whose header claims a size, with pixels that are all zero and compress to almost nothing. */
function bomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(1_000_000), { level: 9 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

test('PAPERS-IMAGE-006: a decoder that hangs or dies costs its photo only', async () => {
  using slow = new Images({ path: stand('never-answers.ts'), limitMs: 300 })
  const [first, second] = await Promise.all([refusalOf(slow.read(await picture(700, 700))), refusalOf(slow.read(await picture(700, 700)))])
  assert.deepEqual([first, second], ['IMAGE_UNREADABLE', 'IMAGE_UNREADABLE'])
  using dying = new Images({ path: stand('dies.ts') })
  assert.equal(await refusalOf(dying.read(await picture(700, 700))), 'IMAGE_UNREADABLE')
  assert.equal((await images.read(await picture(700, 700))).width, 700)
})

test('PAPERS-IMAGE-006: photos wait in a short line, and an idle process ends', async () => {
  using few = new Images({ waitingMax: 2, idleMs: 1 })
  const jpeg = await picture(700, 700)
  const answers = await Promise.all(Array.from({ length: 5 }, () => refusalOf(few.read(jpeg))))
  assert.deepEqual(answers, [undefined, undefined, undefined, 'UNAVAILABLE', 'UNAVAILABLE'])
  while (few.pid !== undefined) await new Promise((done) => setTimeout(done, 5))
  assert.equal(await refusalOf(few.read(jpeg)), undefined)
})

test('PAPERS-IMAGE-006: a decoder that can’t be started costs each photo, and the line goes on', { timeout: 10_000 }, async () => {
  using never = new Images({ path: 'no\0program' })
  const jpeg = await picture(700, 700)
  for (let n = 0; n < 3; n++) await assert.rejects(never.read(jpeg))
  const two = await Promise.allSettled([never.read(jpeg), never.read(jpeg)])
  assert.deepEqual(
    two.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})

test('PAPERS-IMAGE-006: a closed line starts no process for the photos that waited', async () => {
  const closed = new Images({ path: stand('never-answers.ts') })
  const jpeg = await picture(700, 700)
  const answers = [refusalOf(closed.read(jpeg)), refusalOf(closed.read(jpeg)), refusalOf(closed.read(jpeg))]
  closed[Symbol.dispose]()
  assert.deepEqual(await Promise.all(answers), ['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE'])
  assert.equal(closed.pid, undefined)
  assert.equal(await refusalOf(closed.read(jpeg)), 'UNAVAILABLE')
})

test('PAPERS-IMAGE-008: a customer who fills the line shuts nobody else out, and others are read in between', async () => {
  using line = new Images({ waitingMax: 4 })
  const jpeg = await picture(700, 700)
  const order: string[] = []
  const read = (owner: string): Promise<string | undefined> =>
    refusalOf(line.read(jpeg, owner)).finally(() => {
      order.push(owner)
    })
  const many = Array.from({ length: 5 }, () => read('greedy'))
  const [one, other] = await Promise.all([read('one'), read('other')])
  assert.deepEqual([one, other], [undefined, undefined])
  const answers = await Promise.all(many)
  assert.equal(answers.filter((answer) => answer === 'UNAVAILABLE').length, 2)
  assert.ok(order.indexOf('other') < order.lastIndexOf('greedy'), order.join(' '))
})

test('PAPERS-IMAGE-009: answers of a decoder that was taken over are checked, and end nothing', { timeout: 90_000 }, async () => {
  using lying = new Images({ path: stand('lies.ts') })
  const jpeg = await picture(700, 700)
  for (let n = 0; n < 9; n++) assert.equal(await refusalOf(lying.read(jpeg)), 'IMAGE_UNREADABLE', `lie ${n}`)
})

test('PAPERS-IMAGE-002: a file of a million tiny parts is walked through by the other process, not by this one', async () => {
  const tail = Buffer.alloc(10 * 1024 * 1024 - 20)
  for (let at = 0; at < tail.length; at += 2) tail[at] = 0xff
  const scan = Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, 0xda, 0, 2), tail])
  await read(await picture(700, 700))
  const start = performance.now()
  assert.equal(formatOf(scan), undefined)
  const walk = performance.now() - start
  const { eventLoopUtilization } = performance
  const before = eventLoopUtilization()
  for (let n = 0; n < 5; n++) assert.equal(await refusalOf(read(scan)), 'IMAGE_KIND')
  const { active } = eventLoopUtilization(before)
  assert.ok(active < 5 * walk, `${active} ms for five photos, ${walk} ms to walk through one`)
})

test('PAPERS-IMAGE-002: a JPEG of more scans than any camera writes is no photo', () => {
  const scans = (count: number): Buffer =>
    Buffer.concat([Buffer.of(0xff, 0xd8), ...Array.from({ length: count }, () => Buffer.of(0xff, 0xda, 0, 2, 1)), Buffer.of(0xff, 0xd9)])
  assert.equal(formatOf(scans(100)), 'jpeg')
  assert.equal(formatOf(scans(101)), undefined)
})

test('PAPERS-IMAGE-007: the process that decodes has no environment, no network, and writes no file', async () => {
  using curious = new Images({ path: stand('curious.ts') })
  assert.equal(await refusalOf(curious.read(await picture(700, 700))), 'IMAGE_KIND', 'it says so when all is closed to it')
})

test('PAPERS-IMAGE-010: a text is drawn over all of a photo, and survives a smaller copy of poor quality', async () => {
  const text = 'anna@staff.example 2026-01-15 12:00'
  const photo = (await read(await picture(1_600, 1_200))).jpeg
  const { jpeg, width, height } = await images.mark(photo, text)
  assert.deepEqual([width, height], [1_600, 1_200])
  const copyOf = (bytes: Buffer) => sharp(bytes).resize(800).jpeg({ quality: 50 }).toBuffer()
  const grey = async (bytes: Buffer): Promise<Buffer> => sharp(bytes).resize(width, height).greyscale().raw().toBuffer()
  const [before, after] = [await grey(await copyOf(photo)), await grey(await copyOf(jpeg))]
  const layer = drawMark(text, width, height)
  // In each sixteenth of the picture the light dots are lighter than the dots' dark edges, by what was drawn.
  for (let part = 0; part < 16; part++) {
    const sums = { light: 0, dark: 0, lights: 0, darks: 0, plain: 0, plains: 0 }
    for (let y = (height / 4) * (part >> 2); y < (height / 4) * ((part >> 2) + 1); y++)
      for (let x = (width / 4) * (part & 3); x < (width / 4) * ((part & 3) + 1); x++) {
        const at = y * width + x
        const change = after[at]! - before[at]!
        if (layer[at * 4 + 3] === 0) Object.assign(sums, { plain: sums.plain + Math.abs(change), plains: sums.plains + 1 })
        else if (layer[at * 4] === 255) Object.assign(sums, { light: sums.light + change, lights: sums.lights + 1 })
        else Object.assign(sums, { dark: sums.dark + change, darks: sums.darks + 1 })
      }
    assert.ok(sums.lights > 500, `part ${part} has text`)
    assert.ok(sums.light / sums.lights - sums.dark / sums.darks > 20, `part ${part} can be read`)
    assert.ok(sums.plain / sums.plains < 12, `part ${part} leaves the photo as it is`)
  }
})
