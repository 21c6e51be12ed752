import type { WireMarginAccount } from '@candor/core/protocol/wire/margin.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../../app/format.ts'
import { placesOf } from '../../app/formats.ts'
import { useTranslation } from '../../app/translate.ts'
import { type LevelWord, mayLose, wordOf } from './level.ts'
import { Term } from '../help/term.tsx'

const tones: Readonly<Record<LevelWord, string>> = {
  none: 'text-fg2',
  safe: 'text-ok',
  watch: 'text-warn',
  danger: 'text-danger',
  liquidating: 'text-danger',
}

/** The margin level as a number, a word and a bar that is empty at liquidation, with the limits below. `market`: of an isolated account. */
export function LevelGauge({ account, market }: { readonly account: WireMarginAccount; readonly market?: WireMarket | undefined }) {
  const { t } = useTranslation()
  const format = useFormats()
  const word = wordOf(account)
  const rest = mayLose(account)
  const level = account.level === null ? '' : format.number(account.level, 2, 2)
  const price = account.liquidationPrice
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-2 text-12">
        <span className="text-fg2" title={t('margin.levelHint')}>
          <Term id="level">{t('margin.level')}</Term>
        </span>
        <span className={`flex items-baseline gap-1.5 font-semibold ${tones[word]}`}>
          <span className="tn text-15">{level}</span>
          {t(`margin.word.${word}`)}
        </span>
      </div>
      <span
        role="meter"
        aria-label={t('margin.level')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(rest)}
        aria-valuetext={`${level} ${t(`margin.word.${word}`)}`}
        className={`h-1.5 overflow-hidden rounded-full bg-s3 ${tones[word]}`}
      >
        <span className="block h-full rounded-full bg-current" style={{ width: `${Math.max(rest, 2)}%` }} />
      </span>
      {account.level !== null && (
        <div className="flex flex-wrap justify-between gap-x-3 text-11 text-fg3">
          <span>
            {t('margin.levels', {
              call: format.number(account.callLevel, 2, 3),
              liquidation: format.number(account.liquidationLevel, 2, 3),
            })}
          </span>
          {market === undefined ? (
            word !== 'liquidating' && <span>{t('margin.mayFall', { percent: format.percent(rest, 1) })}</span>
          ) : (
            <span>
              {t('margin.liquidationPrice')}{' '}
              <span className="tn text-fg">
                {price === null ? t('margin.never') : `${format.number(price, 0, placesOf(market.tick) + 2)} ${market.quote}`}
              </span>
            </span>
          )}
        </div>
      )}
    </div>
  )
}
