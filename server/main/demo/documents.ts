import type { PhotoSide } from '@candor/core/protocol/wire/papers.ts'
import sharp from 'sharp'
import { advance, forEachDot } from '../../papers/letters.ts'
import type { DemoPerson } from './people.ts'

const width = 1_200
const height = 760
const channels = 3
/** Around the document, as on a table. */
const margin = 60
type Colour = readonly [red: number, green: number, blue: number]
const table: Colour = [74, 66, 58]
const ink: Colour = [28, 34, 48]
const pale: Colour = [150, 160, 176]
const papers: Readonly<Record<string, Colour>> = {
  'id-card': [222, 232, 240],
  passport: [238, 228, 214],
  'driving-licence': [238, 218, 226],
}

/** A JPEG that looks like the photo of a document, and says on it that it is none. */
export async function documentPhoto({ document }: DemoPerson, side: PhotoSide): Promise<Buffer> {
  const drawing = new Drawing()
  drawing.box(margin, margin, width - margin, height - margin, papers[document.kind!] ?? papers['id-card']!)
  drawing.text(`${document.country} SPECIMEN`, { left: 110, top: 100, dot: 7, colour: pale })
  if (side === 'front') {
    drawing.face(240, 400)
    const lines = [document.kind!.replaceAll('-', ' '), document.name!, document.born!, document.number!]
    for (const [at, line] of lines.entries()) drawing.text(line, { left: 430, top: 230 + at * 96, dot: 5, colour: ink })
  } else {
    for (let line = 0; line < 3; line++) {
      const text = `<<${document.number}<${document.country}<<<<<<<<<<<<<`.replaceAll('<', '=').slice(0, 26)
      drawing.text(text, { left: 110, top: 420 + line * 80, dot: 5, colour: ink })
    }
  }
  return sharp(drawing.pixels, { raw: { width, height, channels } }).jpeg({ quality: 85 }).toBuffer()
}

class Drawing {
  readonly pixels = Buffer.alloc(width * height * channels)

  constructor() {
    this.box(0, 0, width, height, table)
  }

  box(left: number, top: number, right: number, bottom: number, colour: Colour): void {
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++)
      for (let x = Math.max(0, left); x < Math.min(width, right); x++) this.pixels.set(colour, (y * width + x) * channels)
  }

  /** `dot`: size of a letter's dot in pixels. */
  text(words: string, { left, top, dot, colour }: { left: number; top: number; dot: number; colour: Colour }): void {
    for (const [place, letter] of [...words.toUpperCase()].entries())
      forEachDot(letter, (column, row) => {
        const x = left + (place * advance + column) * dot
        const y = top + row * dot
        this.box(x, y, x + dot, y + dot, colour)
      })
  }

  /** Head and shoulders, as on a sign. */
  face(middle: number, centre: number): void {
    this.box(middle - 120, centre - 170, middle + 120, centre + 190, pale)
    const disc = (x: number, y: number, radius: number): void => {
      for (let row = -radius; row <= radius; row++) {
        const half = Math.floor(Math.sqrt(radius ** 2 - row ** 2))
        this.box(x - half, Math.min(y + row, centre + 190), x + half, Math.min(y + row + 1, centre + 190), ink)
      }
    }
    disc(middle, centre - 50, 66)
    disc(middle, centre + 130, 104)
  }
}
