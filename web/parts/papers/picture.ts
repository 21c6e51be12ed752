/** Photos as they are sent: upright, reduced, and without what a file says beside its pixels, such as the place. */
import { type Box, reduced, sideMin, type Size } from './frame.ts'
import { type Grey, greyOf, greySide, isBlurred } from './sharpness.ts'

export type Picture = Size & {
  readonly file: Blob
  /** Whether small print can't be read on it, so that the exchange refuses it. */
  readonly isSmall: boolean
  readonly isBlurred: boolean
}

/** The file is no picture that this browser can read. */
export class PictureUnreadable extends Error {
  constructor(options?: ErrorOptions) {
    super('the file is no picture', options)
    this.name = 'PictureUnreadable'
  }
}

/** throws  PictureUnreadable */
export async function pictureOfFile(file: Blob): Promise<Picture> {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    // The browser turns it as the file says.
    await image.decode()
    const size = { width: image.naturalWidth, height: image.naturalHeight }
    return await pictureOf(image, { x: 0, y: 0, ...size })
  } catch (cause) {
    throw cause instanceof PictureUnreadable ? cause : new PictureUnreadable({ cause })
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** throws  PictureUnreadable */
export async function pictureOf(source: CanvasImageSource, crop: Box): Promise<Picture> {
  const size = reduced(crop)
  const canvas = drawn(source, crop, size)
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  if (file === null) throw new PictureUnreadable()
  const isSmall = Math.min(size.width, size.height) < sideMin
  return { ...size, file, isSmall, isBlurred: isBlurred(greyCopy(canvas)) }
}

function greyCopy(canvas: HTMLCanvasElement): Grey {
  const size = reduced(canvas, greySide)
  const copy = drawn(canvas, { x: 0, y: 0, width: canvas.width, height: canvas.height }, size)
  return greyOf(contextOf(copy).getImageData(0, 0, size.width, size.height).data, size.width, size.height)
}

function drawn(source: CanvasImageSource, from: Box, { width, height }: Size): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = contextOf(canvas)
  // A JPEG has no transparency, which would turn black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(source, from.x, from.y, from.width, from.height, 0, 0, width, height)
  return canvas
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (context === null) throw new PictureUnreadable()
  return context
}
