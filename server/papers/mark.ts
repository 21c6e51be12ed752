import { advance, forEachDot, rows } from './letters.ts'

/** Lines rise by a third of their length: no crop along the document's edges is free of them. */
const slope = 1 / 3
/** Lines between two lines of text, in heights of a letter. */
const lineEvery = 5
const textGap = 4
/** Of 255 each. */
type Shade = { readonly value: number; readonly opacity: number }
const light: Shade = { value: 255, opacity: 90 }
const dark: Shade = { value: 0, opacity: 70 }

/**
 * A layer of RGBA pixels with the text over and over, in slanting lines. Each dot is light with a dark edge, so that it can be read on
 * any photo, and so faint that the document can.
 */
export function drawMark(text: string, width: number, height: number): Buffer {
  const layer = Buffer.alloc(width * height * 4)
  const scale = Math.max(2, Math.round(Math.min(width, height) / 350))
  const shown = [...text.toUpperCase(), ...' '.repeat(textGap)]
  const edge = Math.ceil(scale / 2)
  const paint = (x: number, y: number, { value, opacity }: Shade): void => {
    for (let row = Math.max(0, y); row < Math.min(height, y + scale); row++)
      for (let column = Math.max(0, x); column < Math.min(width, x + scale); column++) {
        const pixel = (row * width + column) * 4
        const alpha = pixel + 3
        layer.fill(value, pixel, alpha)
        layer[alpha] = opacity
      }
  }
  forEachPlace(shown, { width, height, scale }, (x, y) => paint(x + edge, y + edge, dark))
  forEachPlace(shown, { width, height, scale }, (x, y) => paint(x, y, light))
  return layer
}

type Place = { readonly width: number; readonly height: number; readonly scale: number }

/** Calls `dot` with the upper left corner of each dot of each letter. */
function forEachPlace(shown: readonly string[], { width, height, scale }: Place, dot: (x: number, y: number) => void): void {
  const lineStep = rows * scale * lineEvery
  const perLine = Math.ceil(width / (advance * scale))
  for (let line = 0; line * lineStep < height + width * slope + lineStep; line++) {
    for (let place = 0; place < perLine; place++) {
      // Each line begins elsewhere in the text, so that a narrow crop has all of it.
      const letter = shown[(place + line * 7) % shown.length]!
      const left = place * advance * scale
      const top = Math.round(line * lineStep - left * slope)
      forEachDot(letter, (column, row) => dot(left + column * scale, top + row * scale))
    }
  }
}
