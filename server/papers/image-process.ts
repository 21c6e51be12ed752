/**
 * The process that decodes photos of strangers, and nothing else: it has no environment, no network, reads only its own program, may
 * write no file and start no process. It gets one photo at a time and answers with a new JPEG made of its pixels: upright, at most
 * 2,000 pixels long, without metadata. With a text, it draws that over a photo which is already ours. It ends itself when it takes too
 * much memory; its parent ends it when it takes too long.
 */
import sharp from 'sharp'
import { formatOf } from './image-format.ts'
import { type ImageAnswer, type ImageRequest, imagePixelsMax, imageSideMax, imageSideMin } from './image-limits.ts'
import { drawMark } from './mark.ts'

const residentMax = 700 * 1024 * 1024
const watchEveryMs = 20
const quality = 85

sharp.cache(false)
sharp.concurrency(1)
setInterval(() => {
  if (process.memoryUsage.rss() > residentMax) process.exit(1)
}, watchEveryMs).unref()

process.on('disconnect', () => process.exit(0))
process.on('message', (request: ImageRequest) => {
  void (request.mark === undefined ? answer(request) : marked(request, request.mark)).then((said) => process.send?.(said))
})

async function marked({ id, bytes }: ImageRequest, text: string): Promise<ImageAnswer> {
  try {
    const image = sharp(Buffer.from(bytes), { limitInputPixels: imagePixelsMax, failOn: 'warning' })
    const { width, height } = await image.metadata()
    const { data, info } = await image
      .composite([{ input: drawMark(text, width, height), raw: { width, height, channels: 4 } }])
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true })
    return { id, jpeg: data, width: info.width, height: info.height }
  } catch {
    return { id, refusal: 'IMAGE_UNREADABLE' }
  }
}

async function answer({ id, bytes, sideMin = imageSideMin }: ImageRequest): Promise<ImageAnswer> {
  try {
    // Bytes arrive as a plain array of bytes from the other process.
    const file = Buffer.from(bytes)
    if (formatOf(file) === undefined) return { id, refusal: 'IMAGE_KIND' }
    const image = sharp(file, { limitInputPixels: imagePixelsMax, failOn: 'warning', sequentialRead: true })
    const { width, height, format, pages = 1 } = await image.metadata()
    if ((format !== 'jpeg' && format !== 'png') || pages > 1) return { id, refusal: 'IMAGE_KIND' }
    if (width * height > imagePixelsMax) return { id, refusal: 'IMAGE_TOO_LARGE' }
    if (Math.min(width, height) < sideMin) return { id, refusal: 'IMAGE_TOO_SMALL' }
    const { data, info } = await image
      .autoOrient()
      .resize({ width: imageSideMax, height: imageSideMax, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true })
    return { id, jpeg: data, width: info.width, height: info.height }
  } catch (cause) {
    return { id, refusal: /pixel limit/i.test(String(cause)) ? 'IMAGE_TOO_LARGE' : 'IMAGE_UNREADABLE' }
  }
}
