/** Shapes that the app adds to the chart's library. */
import { type OverlayTemplate, registerOverlay } from 'klinecharts'

export const lineOverlay = 'candorLine'
export const markOverlay = 'candorMark'
export const frameOverlay = 'candorFrame'

/** What a mark of an own fill shows. `letter`: B or S. */
export type FillMark = { readonly isBuy: boolean; readonly letter: string; readonly colour: string }

/** A dashed line with its label at the left, where it covers no price. */
const line: OverlayTemplate<string> = {
  name: lineOverlay,
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ bounding, coordinates, overlay }) => {
    const y = coordinates[0]?.y ?? -100
    return [
      {
        type: 'line',
        ignoreEvent: true,
        attrs: {
          coordinates: [
            { x: 0, y },
            { x: bounding.width, y },
          ],
        },
      },
      {
        type: 'text',
        ignoreEvent: true,
        attrs: { x: bounding.width - 4, y: y - 2, text: overlay.extendData, align: 'right', baseline: 'bottom' },
      },
    ]
  },
}

/** Draws nothing. The library calls it with every picture that it draws, which is when prices may have moved on the screen. */
const frame: OverlayTemplate<() => void> = {
  name: frameOverlay,
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ overlay }) => {
    overlay.extendData()
    return []
  },
}

/** A triangle at the price of a fill with B or S at its back: below the price for a buy, above it for a sale. */
const mark: OverlayTemplate<FillMark> = {
  name: markOverlay,
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ coordinates, overlay }) => {
    const [{ x, y } = { x: -100, y: -100 }] = coordinates
    const { isBuy, letter, colour } = overlay.extendData
    const down = isBuy ? 1 : -1
    const tip = y + 2 * down
    const base = tip + 7 * down
    return [
      {
        type: 'polygon',
        attrs: {
          coordinates: [
            { x, y: tip },
            { x: x - 4.5, y: base },
            { x: x + 4.5, y: base },
          ],
        },
        styles: { style: 'fill', color: colour },
      },
      {
        type: 'text',
        attrs: { x, y: base + down, text: letter, align: 'center', baseline: isBuy ? 'top' : 'bottom' },
        styles: {
          color: colour,
          backgroundColor: 'transparent',
          borderSize: 0,
          size: 9,
          weight: 600,
          paddingLeft: 6,
          paddingRight: 6,
          paddingTop: 2,
          paddingBottom: 2,
        },
      },
    ]
  },
}

registerOverlay(line)
registerOverlay(mark)
registerOverlay(frame)
