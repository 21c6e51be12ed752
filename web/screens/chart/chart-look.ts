/** The chart's colours, read from the page, so that theme and up/down colours apply here too. */
import type { DeepPartial, Locales, Styles } from 'klinecharts'
import type { Kept } from './kept.ts'

export const chartLocale = 'candor'
export type ChartTexts = Locales

export function chartStyles(type: Kept['type']): DeepPartial<Styles> {
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
      tooltip: { showRule: 'follow_cross', legend: { size: 10, family, color: grey }, title: { show: false } },
    },
    indicator: {
      bars: [volume],
      lines: ['--warn', '--brand', '--blue', '--up', '--down'].map((name) => ({ color: colour(name), size: 1 })),
      tooltip: { title: { size: 10, family, color: grey }, legend: { size: 10, family, color: grey } },
    },
    xAxis: { axisLine: { color: line }, tickLine: { show: false }, tickText: text },
    yAxis: { axisLine: { show: false }, tickLine: { show: false }, tickText: text },
    separator: { color: line },
    crosshair: { horizontal: crosshair, vertical: crosshair },
    overlay: { line: { color: colour('--brand'), size: 1.5 }, point: { color: colour('--brand'), borderColor: `${colour('--brand')}55` } },
  }
}

/** A colour at 45 % opacity, for volume behind the candles. */
function faded(hex: string): string {
  return `${hex}73`
}
