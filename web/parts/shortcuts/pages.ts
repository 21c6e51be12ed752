/** Pages of the app that the palette opens, by names that they have elsewhere. */
import type { Path } from '../../app/routes.ts'
import type { Key } from '../../app/translate.ts'
import type { LaterArea } from '../../app/texts.ts'

/** The areas of the names. */
export const pageAreas: readonly LaterArea[] = ['assets', 'chart', 'convert', 'daily', 'home', 'me', 'orders', 'presale']

export const pages: readonly (readonly [path: Path, name: Key])[] = [
  ['/property', 'shell.assets'],
  ['/entrust', 'orders.title'],
  ['/market', 'market.title'],
  ['/spot', 'trade.spot'],
  ['/contract', 'trade.futures'],
  ['/lever', 'trade.margin'],
  ['/Second', 'trade.optionsDesk'],
  ['/contractkline', 'chart.title'],
  ['/transfer', 'assets.transfer'],
  ['/recharge', 'assets.deposit'],
  ['/withdrawel', 'assets.withdraw'],
  ['/exchange', 'convert.title'],
  ['/propertyRecord', 'shell.records'],
  ['/daily', 'daily.title'],
  ['/alerts', 'home.alerts'],
  ['/notices', 'home.notices'],
  ['/sellList', 'presale.title'],
  ['/limits', 'common.myLimits'],
  ['/safety', 'me.safety'],
  ['/apikeys', 'me.apiKeys'],
  ['/setting', 'shell.settings'],
  ['/lang', 'shell.language'],
  ['/fees', 'shell.fees'],
  ['/help', 'home.to.help'],
  ['/support', 'shell.support'],
  ['/me', 'shell.me'],
  ['/', 'shell.home'],
]
