import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client, queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Endless } from '../../parts/lists/endless.tsx'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Empty, LoginFirst } from '../../parts/ui/state.tsx'
import { Chip } from '../../parts/ui/tabs.tsx'
import { ChainRecords, exportChainRecords, isChainKind } from './chain-records.tsx'
import { exportRecords } from './export.ts'
import { byMonth } from './months.ts'
import { RecordRow, RecordSheet } from './record.tsx'
import { useLang } from '../../app/texts.ts'

export const recordTypes = ['deposit', 'withdrawal', 'faucet', 'transfer', 'trade', 'fee'] as const

/** All movements of the user's money by month, newest first. */
export function Screen() {
  const { t } = useTranslation()
  const format = useFormats()
  const me = useMe()
  const { query } = usePlace()
  const config = useConfig().data
  const [type, setType] = useState<WireRecord['type'] | ''>(() => recordTypes.find((one) => one === query.get('type')) ?? '')
  const [asset, setAsset] = useState(query.get('asset') ?? '')
  const [detail, setDetail] = useState<WireRecord>()
  const wanted = { ...(type === '' ? {} : { type }), ...(asset === '' ? {} : { asset }) }
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: ['own', 'balances'] })}>
      <PageHeader title={t('records.title')} fallback="/property">
        {me !== undefined && (
          <ExportButton
            label={t('orders.export')}
            save={() => (isChainKind(type) ? exportChainRecords(type, asset, t, format) : exportRecords(wanted, t, format))}
          />
        )}
      </PageHeader>
      {me === undefined ? (
        <LoginFirst text={t('records.loginFirst')} next="/propertyRecord" />
      ) : (
        <>
          <div className="no-scrollbar flex items-center gap-2 overflow-x-auto px-4 py-2">
            <select
              aria-label={t('records.asset')}
              value={asset}
              onChange={(event) => setAsset(event.target.value)}
              className="h-8 shrink-0 rounded-chip bg-s2 px-2 text-12 font-medium text-fg"
            >
              <option value="">{t('records.allAssets')}</option>
              {config?.assets.map((one) => (
                <option key={one.symbol} value={one.symbol}>
                  {one.symbol}
                </option>
              ))}
            </select>
            <Chip isOn={type === ''} onClick={() => setType('')}>
              {t('records.all')}
            </Chip>
            {recordTypes.map((one) => (
              <Chip key={one} isOn={type === one} onClick={() => setType(type === one ? '' : one)}>
                {t(`records.type.${one}`)}
              </Chip>
            ))}
          </div>
          {isChainKind(type) ? (
            <ChainRecords key={type} kind={type} asset={asset} />
          ) : (
            <Endless<WireRecord>
              key={`${type} ${asset}`}
              queryKey={['own', 'balances', 'records', type, asset]}
              page={(before) => client.funds.records({ ...wanted, ...(before === undefined ? {} : { before }), limit: 50 })}
              empty={
                <Empty text={t('records.none')}>
                  <ButtonLink to="/property" variant="soft" size="small">
                    {t('records.toAssets')}
                  </ButtonLink>
                </Empty>
              }
            >
              {(records) => <Months records={records} onOpen={setDetail} />}
            </Endless>
          )}
          {detail !== undefined && <RecordSheet record={detail} onClose={() => setDetail(undefined)} />}
        </>
      )}
    </Pull>
  )
}

function Months({ records, onOpen }: { readonly records: readonly WireRecord[]; readonly onOpen: (record: WireRecord) => void }) {
  const tag = useLang((state) => state.tag)
  return (
    <>
      {byMonth(records, tag).map((month) => (
        <section key={month.key}>
          <h2 className="sticky top-13 z-[5] bg-bg px-4 py-2 text-12 font-medium text-fg3">{month.title}</h2>
          <ul>
            {month.records.map((record) => (
              <li key={record.id} className="border-b border-line last:border-0">
                <RecordRow record={record} onOpen={() => onOpen(record)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
