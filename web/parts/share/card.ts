/** Draws the picture of a result. */
import type { Facts } from './facts.ts'

/** Size of the picture in pixels, as feeds of messengers have it. */
export const cardSize = { width: 1080, height: 1350 } as const

export type Theme = 'dark' | 'light'
type Colours = {
  readonly ground: string
  readonly panel: string
  readonly line: string
  readonly fg: string
  readonly fg2: string
  readonly fg3: string
}

/** The colours of `theme.css`, for both themes: the page has only the variables of one. */
const colours: Readonly<Record<Theme, Colours & Readonly<Record<'green' | 'red' | 'blue' | 'orange', string>>>> = {
  dark: {
    ...{ ground: '#0a0c10', panel: '#11141a', line: '#252b36', fg: '#f3f5f9', fg2: '#a8b0bf', fg3: '#7f8898' },
    ...{ green: '#2bd494', red: '#ff6473', blue: '#5aa9ff', orange: '#ffa24d' },
  },
  light: {
    ...{ ground: '#f6f7f9', panel: '#ffffff', line: '#dfe3ea', fg: '#0d1117', fg2: '#4a5362', fg3: '#626c7c' },
    ...{ green: '#067a52', red: '#cc2236', blue: '#0b63c4', orange: '#a85400' },
  },
}

/** Colours of rising and falling, as the person chose them. */
const pairs = { green: ['green', 'red'], red: ['red', 'green'], cb: ['blue', 'orange'] } as const

export type Look = {
  readonly theme: Theme
  readonly updown: keyof typeof pairs
  readonly hasMoney: boolean
  readonly note: string | undefined
}

const margin = 88

/** Weight, size in pixels, and colour of a text. */
type Type = readonly [weight: number, size: number, colour: string]

/** `note`: stands under the name, for results that are not of real money. */
export function drawCard(canvas: HTMLCanvasElement, facts: Facts, { theme, updown, hasMoney, note }: Look): void {
  const { width, height } = cardSize
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (pen === null) return
  const own = colours[theme]
  const [up, down] = pairs[updown].map((name) => own[name]) as [string, string]
  const tone = facts.outcome === 'gain' ? up : facts.outcome === 'loss' ? down : own.fg
  const family = getComputedStyle(document.body).fontFamily
  const write = (text: string, at: readonly [x: number, y: number], [weight, size, colour]: Type, most = width - 2 * margin): void => {
    pen.font = `${weight} ${size}px ${family}`
    pen.fillStyle = colour
    pen.fillText(text, at[0], at[1], most)
  }
  pen.fillStyle = own.ground
  pen.fillRect(0, 0, width, height)
  pen.fillStyle = own.panel
  pen.beginPath()
  pen.roundRect(40, 40, width - 80, height - 80, 56)
  pen.fill()
  pen.textBaseline = 'alphabetic'
  drawMark(pen, margin, 104)
  write('Candor', [margin + 104, 160], [600, 52, own.fg])
  if (note !== undefined) atEnd(pen, () => write(note, [width - margin, 158], [500, 34, own.fg2], 420))
  write(facts.pair, [margin, 342], [600, 76, own.fg])
  write(facts.side, [margin, 414], [600, 44, facts.isRising ? up : down])
  pen.font = `600 44px ${family}`
  const after = margin + pen.measureText(facts.side).width + 24
  write(facts.product, [after, 414], [400, 40, own.fg2], width - margin - after)
  const size = fitting(pen, facts.percent, width - 2 * margin, 184, family)
  write(facts.percent, [margin, 648], [700, size, tone])
  write(facts.base, [margin, 744], [400, 38, own.fg2])
  if (hasMoney) write(facts.money, [margin, 862], [600, 80, tone])
  let y = 1010
  pen.fillStyle = own.line
  pen.fillRect(margin, y - 72, width - 2 * margin, 2)
  for (const [label, value] of facts.rows) {
    write(label, [margin, y], [400, 42, own.fg2], 440)
    atEnd(pen, () => write(value, [width - margin, y], [600, 46, own.fg], 460))
    y += 84
  }
  write(facts.time, [margin, 1234], [400, 36, own.fg3])
}

function atEnd(pen: CanvasRenderingContext2D, draw: () => void): void {
  pen.textAlign = 'end'
  draw()
  pen.textAlign = 'start'
}

/** The largest size, up to `most`, at which a text fits the width. */
function fitting(pen: CanvasRenderingContext2D, text: string, width: number, most: number, family: string): number {
  pen.font = `700 ${most}px ${family}`
  return Math.min(most, Math.floor((most * width) / pen.measureText(text).width))
}

/** The mark of Candor, 72 pixels wide. */
function drawMark(pen: CanvasRenderingContext2D, left: number, top: number): void {
  const scale = 72 / 64
  pen.save()
  pen.translate(left, top)
  pen.scale(scale, scale)
  pen.fillStyle = '#4048e0'
  pen.beginPath()
  pen.roundRect(0, 0, 64, 64, 16)
  pen.fill()
  pen.strokeStyle = '#ffffff'
  pen.lineWidth = 6
  pen.lineCap = 'round'
  pen.beginPath()
  pen.arc(32, 32, 15, -Math.asin(9.6 / 15), Math.asin(9.6 / 15), true)
  pen.stroke()
  pen.fillStyle = '#ffffff'
  pen.beginPath()
  pen.arc(32, 32, 4.5, 0, 2 * Math.PI)
  pen.fill()
  pen.restore()
}
