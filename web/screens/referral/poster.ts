/** Draws the poster with the QR code of an invitation. */
import { encode } from 'uqr'

/** Size of the picture in pixels, as stories of messengers have it. */
export const posterSize = { width: 1080, height: 1620 } as const

export type PosterTexts = { readonly link: string; readonly code: string; readonly headline: string; readonly scan: string }

const margin = 96
const qrSide = 640

/** Draws onto the canvas in the colours of the dark theme, the QR code dark on white. */
export function drawPoster(canvas: HTMLCanvasElement, { link, code, headline, scan }: PosterTexts): void {
  const { width, height } = posterSize
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (pen === null) return
  const ground = pen.createLinearGradient(0, 0, width, height)
  ground.addColorStop(0, '#16181d')
  ground.addColorStop(1, '#0b0c0f')
  pen.fillStyle = ground
  pen.fillRect(0, 0, width, height)
  const family = getComputedStyle(document.body).fontFamily
  pen.textBaseline = 'alphabetic'
  pen.fillStyle = '#ffffff'
  pen.font = `600 72px ${family}`
  pen.fillText('Candor', margin, 190)
  pen.font = `600 64px ${family}`
  let y = 310
  for (const line of linesOf(pen, headline, width - 2 * margin).slice(0, 3)) {
    pen.fillText(line, margin, y)
    y += 80
  }
  drawQr(pen, link, (width - qrSide) / 2, 590)
  pen.textAlign = 'center'
  pen.fillStyle = '#a5abb8'
  pen.font = `400 38px ${family}`
  pen.fillText(scan, width / 2, 1340, width - 2 * margin)
  pen.fillStyle = '#ffffff'
  pen.font = `600 76px ${family}`
  pen.fillText(code, width / 2, 1450)
  pen.textAlign = 'start'
}

/** Lines of a text that fit the width. Languages without spaces break anywhere. */
function linesOf(pen: CanvasRenderingContext2D, text: string, width: number): readonly string[] {
  const parts = text.includes(' ') ? text.split(/(?<= )/) : [...text]
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    if (line !== '' && pen.measureText((line + part).trimEnd()).width > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += part
  }
  return [...lines, line.trimEnd()]
}

function drawQr(pen: CanvasRenderingContext2D, text: string, left: number, top: number): void {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const cell = Math.floor(qrSide / size)
  const side = cell * size
  const [x0, y0] = [left + (qrSide - side) / 2, top + (qrSide - side) / 2]
  pen.fillStyle = '#ffffff'
  pen.beginPath()
  pen.roundRect(x0, y0, side, side, 28)
  pen.fill()
  pen.fillStyle = '#000000'
  for (const [y, row] of data.entries())
    for (const [x, isDark] of row.entries()) if (isDark) pen.fillRect(x0 + x * cell, y0 + y * cell, cell, cell)
}
