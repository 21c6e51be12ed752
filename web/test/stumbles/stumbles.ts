/** All scripts, in the order of the list of stumbles. */
import type { Stumble } from './scene.ts'
import { partialFill } from './01-partial-fill.ts'
import { about } from './02-about.ts'
import { numbers } from './03-numbers.ts'
import { told } from './04-told.ts'
import { shortPhone } from './05-short-phone.ts'
import { secondChart } from './06-second-chart.ts'
import { firstUse } from './07-first-use.ts'
import { inlineChart } from './08-inline-chart.ts'
import { chartLines } from './09-chart-lines.ts'
import { book } from './10-book.ts'
import { favourites } from './11-favourites.ts'
import { orders } from './12-orders.ts'
import { exits } from './13-exits.ts'
import { portfolio } from './14-portfolio.ts'
import { signals } from './15-signals.ts'
import { help } from './16-help.ts'

export const stumbles: readonly Stumble[] = [
  ...[partialFill, about, numbers, told, shortPhone, secondChart, firstUse, inlineChart, chartLines],
  ...[book, favourites, orders, exits, portfolio, signals, help],
]
