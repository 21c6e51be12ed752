import type { WireChainNetwork } from '@candor/core/protocol/wire/chains.ts'
import { useTranslation } from '../../app/translate.ts'
import { PlainSelect } from '../fields/plain-select.tsx'
import { Segmented } from '../ui/tabs.tsx'

/** The coin, and the network on which it comes or goes. */
export function NetworkChoice({
  coins,
  asset,
  network,
  hint,
  onChange,
}: {
  readonly coins: readonly { readonly asset: string; readonly networks: readonly WireChainNetwork[] }[]
  readonly asset: string
  readonly network: WireChainNetwork
  readonly hint?: string
  readonly onChange: (chosen: { readonly asset: string; readonly network: string }) => void
}) {
  const { t } = useTranslation()
  const networks = coins.find((coin) => coin.asset === asset)?.networks ?? []
  return (
    <div className="flex flex-col gap-3">
      <PlainSelect
        label={t('chains.coin')}
        value={asset}
        choices={coins.map((coin) => ({ value: coin.asset, label: coin.asset }))}
        onChange={(next) => onChange({ asset: next, network: network.name })}
      />
      <div className="flex flex-col gap-1.5">
        <span className="text-13 font-medium text-fg2">{t('chains.network')}</span>
        <Segmented
          label={t('chains.network')}
          choices={networks.map(({ name, label }) => ({ value: name, label }))}
          value={network.name}
          onChange={(next) => onChange({ asset, network: next })}
        />
        {hint !== undefined && <p className="text-12 text-fg3">{hint}</p>}
      </div>
    </div>
  )
}
