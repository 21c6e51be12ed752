/** The chart's colours, read from the page, so that theme and up/down colours apply here too. */
import type { DeepPartial, Locales, Styles } from 'klinecharts'
import type { ChartType } from './kept.ts'

export const chartLocale = 'candor'
export type ChartTexts = Locales

export function chartStyles(type: ChartType): DeepPartial<Styles> {
  const page = getComputedStyle(document.documentElement)
  const colour = (name: string): string => page.getPropertyValue(name).trim()
  const [up, down, grey, line] = [colour('--up'), colour('--down'), colour('--fg3'), colour('--line')]
  const family = page.getPropertyValue('font-family')
  const bar = {
    upColor: up,
    downColor: down,
    noChangeColor: grey,
    upBorderColor: up,
    downBorderColor: down,
    noChangeBorderColor: grey,
    upWickColor: up,
    downWickColor: down,
    noChangeWickColor: grey,
  }
  const volume = { upColor: faded(up), downColor: faded(down), noChangeColor: faded(grey) }
  const text = { color: grey, size: 10, family }
  const crosshair = {
    line: { color: grey, dashedValue: [3, 3] },
    text: { color: colour('--fg'), backgroundColor: colour('--s3'), borderColor: colour('--s3'), size: 10, family, borderRadius: 4 },
  }
  const mark = { text: { color: colour('--onupdown'), size: 10, family, borderRadius: 4, paddingLeft: 4, paddingRight: 4 } }
  return {
    grid: { horizontal: { color: line, style: 'solid' }, vertical: { show: false } },
    candle: {
      type,
      bar,
      area: {
        lineColor: colour('--brand'),
        lineSize: 1.5,
        backgroundColor: [
          { offset: 0, color: `${colour('--brand')}33` },
          { offset: 1, color: `${colour('--brand')}00` },
        ],
      },
      priceMark: {
        high: { color: grey, textSize: 10, textFamily: family },
        low: { color: grey, textSize: 10, textFamily: family },
        last: { upColor: up, downColor: down, noChangeColor: grey, ...mark },
      },
      // The legend of the candles stands above the plot.
      tooltip: { showRule: 'none' },
    },
    indicator: {
      bars: [volume],
      lines: ['--warn', '--brand', '--blue', '--up', '--down'].map((name) => ({ color: colour(name), size: 1 })),
      tooltip: { offsetTop: 2, title: { size: 10, family, color: grey, showParams: false }, legend: { size: 10, family, color: grey } },
    },
    xAxis: { axisLine: { color: line }, tickLine: { show: false }, tickText: text },
    yAxis: { axisLine: { show: false }, tickLine: { show: false }, tickText: text },
    separator: { color: line, activeBackgroundColor: `${colour('--brand')}22` },
    crosshair: { horizontal: crosshair, vertical: crosshair },
    overlay: overlayStyles(colour, family),
  }
}

/** Drawings: in the colour of the own things, their texts as plain as those of the axes. */
function overlayStyles(colour: (name: string) => string, family: string): NonNullable<DeepPartial<Styles>['overlay']> {
  const brand = colour('--brand')
  const faint = { color: `${brand}22`, borderColor: brand }
  return {
    point: { color: colour('--bg'), borderColor: brand, borderSize: 1.5, radius: 4, activeColor: brand, activeBorderColor: `${brand}55` },
    line: { color: brand, size: 1.5 },
    rect: faint,
    circle: faint,
    polygon: { color: brand, borderColor: brand },
    arc: { color: brand },
    text: { color: colour('--fg2'), backgroundColor: colour('--s2'), borderSize: 0, borderRadius: 4, size: 10, family },
  }
}

/** A colour at 45 % opacity, for volume behind the candles. */
function faded(hex: string): string {
  return `${hex}73`
}
